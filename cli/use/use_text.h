// Formats the resources that a run used, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/use/enough.h"

namespace rv::cli {

/// "3.1 of 64 GiB memory a node, 0.9 of 8 CPUs, 12m of 2h, GPUs 34% busy with at most 11.2 of 48 GiB". What is not
/// known is called so.
std::string use_text(const AttemptUse& attempt);

/// "job 4711", "job 4711_3", "job 4711, restart 1".
std::string attempt_name(const AttemptUse& attempt);

/// "--mem 4G --time 15m would have been enough; the predicted wait was 5m with it, 2h as asked".
std::string enough_text(const Enough& enough);

/// The attempt that used most memory, else the last: the one shown if a line covers several. `attempts` is not empty.
const AttemptUse& largest(const std::vector<AttemptUse>& attempts);

/// The rows of rv show: the word on the left, and a line. Of more than twenty attempts the first ones.
std::vector<std::pair<std::string, std::string>> use_lines(const RunUse& use, const std::optional<Enough>& enough);

/// {"attempts", "enough", "trouble"} (docs/json.md).
nlohmann::ordered_json use_json(const RunUse& use, const std::optional<Enough>& enough);

}  // namespace rv::cli
