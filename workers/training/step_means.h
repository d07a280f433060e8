#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace rv::workers {

/// What the ranks' reports have in the lists `key`, step by step: the means over the ranks. Of a loss that is infinite
/// or no number, which JSON has as null, nothing is added, and `finite` becomes false.
std::vector<double> means_over_ranks(const std::vector<nlohmann::ordered_json>& ranks, const char* key, bool& finite);

/// Over the last ten steps, or over all where there are fewer.
double newest_mean(const std::vector<double>& by_step);

}  // namespace rv::workers
