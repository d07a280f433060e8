// What a sweep's report folder has by now, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/options/invocation.h"

namespace rv::cli {

/// Prints what is known by now; says how to go on where something is left. 0: every point ran or ran out of memory;
/// 1: not so.
int print_sweep(const std::string& report_dir, const Invocation& invocation);

/// Writes the tables and the page of what its points' folders have, and returns what --json prints, and whether the
/// sweep is over and every point ran or ran out of memory.
struct SweepResult {
  nlohmann::ordered_json document;
  bool well;
};
SweepResult write_sweep_result(const std::string& report_dir);

}  // namespace rv::cli
