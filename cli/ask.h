// Questions to the person at the terminal.
#pragma once

#include <string>

#include "cli/terminal.h"

namespace rv::cli {

/// Somebody is there to answer: stdin and stderr are a terminal.
bool can_ask(const Terminal& terminal);

/// "question [held]: " on stderr. The line that is typed, without blanks around it; `held` for an empty one.
std::string ask(const std::string& question, const std::string& held);

/// The same without showing what is typed, and nothing is held. Throws Error when the terminal can't be kept silent.
std::string ask_secret(const std::string& question);

}  // namespace rv::cli
