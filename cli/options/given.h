// What was typed, asked of a parsed command.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rv::cli {

/// Whether the option stands among the words; false for one that the command does not have.
bool given(const CLI::App& command, const std::string& option);

}  // namespace rv::cli
