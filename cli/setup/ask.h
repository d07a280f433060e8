// Questions to the person at the terminal.
#pragma once

#include <string>

#include "base/os/terminal.h"

namespace rv::cli {

/// Whether a user can answer: stdin and stderr are a terminal.
bool can_ask(const os::Terminal& terminal);

/// "question [held]: " on stderr. The line that is typed, without blanks around it; `held` for an empty one.
std::string ask(const std::string& question, const std::string& held);

/// "question? y or n": whether the answer is y. Returns true with `agreed`, and if no user can answer.
bool agree(const std::string& question, bool agreed, const os::Terminal& terminal);

/// Like ask() without showing what is typed, and nothing is held. Throws Error when the terminal can't be kept silent,
/// and Error(interrupted) for Ctrl-C.
std::string ask_secret(const std::string& question);

/// A line that stands on no command line, without blanks around it: asked for if a user can answer, else
/// read from stdin. Throws Error(usage) where stdin is a terminal and there is nothing to ask on.
std::string secret_line(const std::string& question, const os::Terminal& terminal);

}  // namespace rv::cli
