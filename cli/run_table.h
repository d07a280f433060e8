// Runs as a table: what rv ps and rv status print.
#pragma once

#include <string>
#include <vector>

#include "cli/invocation.h"
#include "cli/resolve_run.h"
#include "monitor/run_view.h"

namespace rv::cli {

/// Ends with a newline; one row per run, in the given order. `now`: for ages.
std::string run_table(const std::vector<monitor::RunRecord>& records, const std::vector<monitor::RunView>& views,
                      slurm::TimePoint now, const Terminal& terminal);

/// A user's string on one line: control characters become "?".
std::string one_line(std::string_view text);

}  // namespace rv::cli
