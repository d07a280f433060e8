// Whether a command line belongs to this machine or to the login node named by -H or the settings.
#pragma once

#include <optional>

#include "cli/options/invocation.h"

namespace rv::cli {

/// "login1", and for ann "ann@login1.site.edu", on login1: no need to go anywhere. Another user of this machine is
/// somewhere else.
bool is_this_machine(const std::string& host);

/// Where to go; nothing when this machine is the place, by name, by default or because a laptop called already.
std::optional<HostSettings> login_node(const Invocation& invocation);

}  // namespace rv::cli
