// Arguments that are not for users.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/invocation.h"

namespace rv::cli {

/// Runs what a hidden flag stands for and returns the exit code; nothing if the words are not those of one. `in_hop`:
/// the words came over ssh. Throws Error.
std::optional<int> run_hidden(const std::vector<std::string>& words, Invocation& invocation, bool in_hop);

}  // namespace rv::cli
