#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// Where PATH has a program of this name; empty: it is not installed.
std::string program_in_path(const std::string& name);

/// What a program says on stdout. Nothing where it can't be started, ends with another code than 0, or takes longer. It
/// ends with this thread, whatever ends that; its stdin and stderr are /dev/null.
std::optional<std::string> output_of(const std::vector<std::string>& argv, double most_seconds);

}  // namespace rv::workers
