// Runs the programs of a load in its container image, or without one.
#pragma once

#include <string>
#include <vector>

#include "cli/hosts/hosts_work.h"
#include "cli/launch/container.h"

namespace rv::cli {

/// Shell lines that run `argv` on a host. What starts the image there is added to `script`; its messages come with the
/// reports.
std::string lines_on_host(const HostPlace& place, Container container, const std::vector<std::string>& argv,
                          HostScript& script);

/// `argv` on this machine. Writes what starts the image to `folder`, where its messages come too.
std::vector<std::string> command_here(const std::string& folder, Container container,
                                      const std::vector<std::string>& argv);

}  // namespace rv::cli
