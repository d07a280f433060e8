// Which options the user gave, from a parsed command.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// Whether the option was given; false if the command does not have it.
bool given(const CLI::App& command, const std::string& option);

/// The texts that were given for the option or positional argument; empty if there are none.
std::vector<std::string> given_texts(const CLI::App& command, const std::string& option);

}  // namespace rv::cli
