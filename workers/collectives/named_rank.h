#pragma once

#include <optional>
#include <vector>

namespace rv::workers {

/// The rank to look at, of those that a reason names: of slow pairs both ends are named, so the one that is named most
/// is meant; nobody where two are named as often.
std::optional<int> named_most(const std::vector<int>& ranks);

}  // namespace rv::workers
