#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace rv::workers {

/// The means over the ranks, step by step, of the lists `key` in their reports. A loss that is infinite or NaN (null in
/// JSON) is left out, and `finite` becomes false.
std::vector<double> means_over_ranks(const std::vector<nlohmann::ordered_json>& ranks, const char* key, bool& finite);

/// The mean over the last ten steps, or over all if there are fewer.
double newest_mean(const std::vector<double>& by_step);

}  // namespace rv::workers
