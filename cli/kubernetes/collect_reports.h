// From the logs of an acceptance's pods to its verdict.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// --collect: asks kubectl for the logs, and judges. A pod that is not over, or never began, makes it an error that
/// says so. Returns the exit code. Throws Error.
int collect_reports(const AcceptOptions& options, const Invocation& invocation);

/// --judge with a file of logs, or "-" for stdin. Throws Error(no_such_run) where no reports are in it.
int judge_logs(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
