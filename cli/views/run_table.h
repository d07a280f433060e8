// Runs as a table: what rv ps and rv status print.
#pragma once

#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_view.h"

namespace rv::cli {

/// Ends with a newline; one row per run, in the given order. `now`: for ages.
std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const os::Terminal& terminal);

}  // namespace rv::cli
