// A child that has this terminal: its stdin, stdout and stderr are ours.
#pragma once

#include <string>
#include <vector>

namespace rv::cli {

/// Runs and waits; Ctrl-C is the child's business meanwhile. Returns its exit code, 128 + signal, 127 not found, 126
/// not executable.
int run_attached(const std::vector<std::string>& argv, const std::vector<std::string>& environment);

}  // namespace rv::cli
