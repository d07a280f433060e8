// Values beside each other, and beside what they should be.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::accept {

struct Bar {
  std::string label;
  double value = 0;
  bool good = true;
};

/// What the bars are long beside.
struct Beside {
  std::optional<double> baseline;       // a mark below the bar, its figure in the head
  std::optional<double> at_least = {};  // the share of the baseline that passes
  std::optional<double> peak;           // the track's whole length; without one it is the longest bar
};

/// HTML that fits any width: label, bar, number. One alone with nothing beside it is neither long nor short: it is
/// written without a bar.
std::string bars_html(const std::vector<Bar>& bars, const std::string& unit, const Beside& beside);

}  // namespace rv::accept
