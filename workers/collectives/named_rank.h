#pragma once

#include <optional>
#include <vector>

namespace rv::workers {

/// Returns the rank that occurs most often in `ranks`; nothing if several ranks occur that often. Both ends of a slow
/// pair are named, so a rank with a slow link is named most.
std::optional<int> named_most(const std::vector<int>& ranks);

}  // namespace rv::workers
