// Whether a command line belongs to this machine or to the login node named by -H or the settings.
#pragma once

#include <optional>

#include "cli/options/invocation.h"

namespace rv::cli {

/// "login1", and for ann "ann@login1.site.edu", on login1: no need to go anywhere. Another user of this machine is
/// somewhere else.
bool is_this_machine(const std::string& host);

/// The login node to use; nothing if it is this machine, by name, by default or because a laptop called it already.
std::optional<HostSettings> login_node(const Invocation& invocation);

}  // namespace rv::cli
