// -e NAME=VALUE: a variable of the command's environment, for one run.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// Adds -e, which can be repeated; of one name the last value counts. Each is "NAME=VALUE" in `variables`, which
/// outlives the command. Reading it throws Error(usage) for a text without "=", and for a name or a value that rv env
/// refuses.
void add_variable_option(CLI::App& command, std::vector<std::string>& variables);

}  // namespace rv::cli
