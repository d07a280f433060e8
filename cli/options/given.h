// What was typed, asked of a parsed command.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// Whether the option stands among the words; false for one that the command does not have.
bool given(const CLI::App& command, const std::string& option);

/// The texts that were given for the option or positional argument; empty if there are none.
std::vector<std::string> given_texts(const CLI::App& command, const std::string& option);

}  // namespace rv::cli
