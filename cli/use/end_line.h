// The line about what a run used, when a client sees it end.
#pragma once

#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"

namespace rv::cli {

/// A line on stderr for a run that is over and took a minute or more: a shorter one has little data. Waits up to three
/// seconds for accounting, which learns of an end a moment later than the run's folder. Nothing where accounting does
/// not answer.
void print_use(const monitor::RunFolder& folder, const monitor::RunView& view);

}  // namespace rv::cli
