// Many rows over time, dark where much was going on.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::pages {

/// A row for each name, its values 0 to `most` at even times from 0 to `seconds`. One that is not known leaves a hole.
struct TimeHeat {
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<double>>> rows;
  double most = 100;
  double seconds = 0;
};

/// Neighbours are taken together where there are more than there is room for. Empty without rows or times.
std::string time_heat_svg(const TimeHeat& heat);

}  // namespace rv::pages
