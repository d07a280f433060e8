// rv sweep on this machine, and on the node of the allocation that it was called in.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/sweep/sweep_order.h"

namespace rv::cli {

/// Goes through the sweep in its folder, here, and prints nothing but progress (stderr). The exit code: 0, or that of
/// an interrupt. `one_point`: only the next point.
int drive_here(const std::string& report_dir, const std::string& workers, const Invocation& invocation,
               bool one_point = false);

/// The same where the allocation's node is, and the outcome printed.
int sweep_here(const SweepOptions& options, const SweepWords& words, const Invocation& invocation);

/// Prints the results so far, and how to continue if points are left. 0: every point ran or ran out of memory;
/// 1: not so.
int print_sweep(const std::string& report_dir, const Invocation& invocation);

/// Writes the tables and the page of what its points' folders have, and returns what --json prints, and whether the
/// sweep is over and every point ran or ran out of memory.
struct SweepResult {
  nlohmann::ordered_json document;
  bool well;
};
SweepResult write_sweep_result(const std::string& report_dir);

/// Within an allocation of Slurm.
bool in_allocation();

}  // namespace rv::cli
