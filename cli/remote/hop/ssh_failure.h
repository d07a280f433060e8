// Explains ssh's messages: why there is no connection, and what to do.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace rv::remote {

/// `log`: what OpenSSH's client wrote to its log (-E). The Error has code ExitCode::connection and names `host`.
Error ssh_failure(std::string_view log, const std::string& host);

/// ssh reached the login node, which allows no further session over this connection (MaxSessions). Nothing ran.
bool session_refused(std::string_view log);

/// `text`: the shell's output on the login node when rv's binary could not be copied.
Error install_failure(std::string_view text, const std::string& host);

/// Neither the files nor the name of the login node's system could be read there. `why`: what the shell printed.
Error unreadable_system(std::string_view why, const std::string& host);

/// "Linux x86_64 5.14.0" as the login node calls itself; an Error when this binary can't run there, else nothing.
void check_system(std::string_view system, const std::string& host);

}  // namespace rv::remote
