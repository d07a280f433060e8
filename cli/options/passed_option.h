// `--sbatch KEY[=VALUE]`: an option that goes to sbatch as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/command_option.h"

namespace rv::cli {

/// "begin=16:00", "hold" of the text behind --sbatch, as JobSpec::sbatch has it; leading dashes are dropped. Throws
/// Error(usage) for an option that rv writes itself, for a misspelled name, for a missing or superfluous value, and for
/// a value with control characters.
std::string passed_option(std::string_view text);

/// "begin" of "begin=16:00" and of "--begin=16:00".
std::string_view passed_name(std::string_view text);

/// Adds --sbatch. "exclusive" alone sets `exclusive`, as --exclusive does. Reading it throws Error(usage) as
/// passed_option(), and for a name that is given twice.
void add_passed_options(CLI::App& command, std::vector<std::string>& passed, bool& exclusive);

/// "--begin=16:00", "--hold": of those passed options that a prediction does not count.
std::vector<std::string> not_counted(const std::vector<std::string>& passed);

}  // namespace rv::cli
