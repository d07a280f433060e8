// A waiting run for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/waiting/waiting_run.h"

namespace rv::cli {

/// Rows of rv why: the word on the left, and a line. `run`: the ID of the run.
std::vector<std::pair<std::string, std::string>> waiting_lines(const WaitingRun& waiting, const std::string& run);

/// {"start", "queue", "sooner", "after"} (docs/json.md).
nlohmann::ordered_json waiting_json(const WaitingRun& waiting);

}  // namespace rv::cli
