// Whether the code of a project may run on this machine.
#pragma once

#include "cli/launch/project_environment.h"

namespace rv::cli {

/// Returns if the project executes none of its own code (cli/project/executed_code.h), if the user has agreed to it
/// before, or if `trusted` (--trust-project). Otherwise shows the code and asks; without a terminal, or for a "no",
/// throws Error(usage). The agreement is kept in $RV_HOME/trusted.
void confirm_project(const ProjectNeeds& needs, const Invocation& invocation, bool trusted);

}  // namespace rv::cli
