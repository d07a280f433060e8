// The name of the user who calls rv.
#pragma once

#include <string>

namespace rv::os {

/// Returns USER or LOGNAME, else the name in /etc/passwd (cron jobs, containers); empty if there is none.
std::string user_name();

/// Returns the effective user's name in /etc/passwd, else that of the environment (users of a directory service).
std::string effective_user_name();

}  // namespace rv::os
