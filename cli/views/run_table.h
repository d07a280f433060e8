// Runs as a table: what rv ps and rv status print.
#pragma once

#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "base/tone.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {

/// Ends with a newline; one row per run, in the given order. `now`: for ages. `dates`: with the moment each
/// was asked for.
std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const os::Terminal& terminal, bool dates = false);

/// Whether a state is well, takes patience, went wrong, or is past.
Tone tone_of(monitor::RunState state);

}  // namespace rv::cli
