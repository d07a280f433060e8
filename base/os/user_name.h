// Who calls rv.
#pragma once

#include <string>

namespace rv::os {

/// What the environment says (USER, LOGNAME), else /etc/passwd (cron jobs, containers); empty where neither knows.
std::string user_name();

/// Whose rights this process has: what /etc/passwd says, else the environment (users of a directory service).
std::string effective_user_name();

}  // namespace rv::os
