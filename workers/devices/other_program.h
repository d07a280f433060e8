#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// The path of a program of this name in PATH; empty if it is not installed.
std::string program_in_path(const std::string& name);

/// Runs a program and returns its stdout; nothing if it can't be started, ends with an exit code other than 0, or takes
/// longer than `most_seconds`. Its stdin and stderr are /dev/null. It is killed when the calling thread ends.
std::optional<std::string> output_of(const std::vector<std::string>& argv, double most_seconds);

}  // namespace rv::workers
