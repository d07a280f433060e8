// Runs the programs of a load in its container image, or without one.
#pragma once

#include <string>
#include <vector>

#include "cli/hosts/hosts_work.h"
#include "cli/launch/container.h"

namespace rv::cli {

/// Returns shell lines that run `argv` on a host. Adds the files that start the image to `script`; messages of the
/// container engine come back with the reports.
std::string lines_on_host(const HostPlace& place, Container container, const std::vector<std::string>& argv,
                          HostScript& script);

/// Returns the command that runs `argv` on this machine. Writes the files that start the image to `folder`; the
/// container engine writes its messages there too.
std::vector<std::string> command_here(const std::string& folder, Container container,
                                      const std::vector<std::string>& argv);

}  // namespace rv::cli
