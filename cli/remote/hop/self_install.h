// rv carries itself to the login node.
#pragma once

#include <string>

#include "cli/remote/hop/ssh_connection.h"

namespace rv::remote {

/// The folder of rv on the login node: "-" for its default there.
std::string home_word(const std::string& cluster_home);

/// Copies this binary to the login node as bin/<binary_name()> below its home. `system`: what the login node reports
/// about itself
/// ("Linux x86_64 5.14.0"). Throws Error when it can't run there or can't be put there.
void install(const SshConnection& connection, const std::string& cluster_home, const std::string& system);

}  // namespace rv::remote
