// Formats an account's running and waiting jobs and its usage as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/os/terminal.h"
#include "cli/account/account_use.h"

namespace rv::cli {

/// A table of the users, and a line for each thing that is known of the account as a whole. Ends with a newline.
std::string account_text(const AccountUse& use, const os::Terminal& terminal);

/// docs/json.md.
nlohmann::ordered_json account_json(const AccountUse& use);

}  // namespace rv::cli
