// A project's environment, built on a compute node: for sites that forbid builds on the login node, and for packages
// that need a GPU's toolchain.
#pragma once

#include "cli/launch/project_environment.h"
#include "cli/options/request_options.h"

namespace rv::cli {

/// Builds it in a separate run on one GPU of the kind that `like` requests, and waits for its end. Throws Error when it
/// could not be built there, and Error(interrupted) after Ctrl-C, having printed what continues.
ProjectNeeds prepare_on_node(const ProjectNeeds& needs, const RequestOptions& like, const Invocation& invocation,
                             bool rebuild = false);

}  // namespace rv::cli
