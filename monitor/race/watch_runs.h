// One look at many runs.
#pragma once

#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"

namespace rv::monitor {

struct SeenRuns {
  std::vector<monitor::RunRecord> records;
  std::vector<monitor::RunView> views;
  std::string trouble;  // Slurm's words when it did not answer; the views then hold what the folders say
};

/// Asks Slurm once for all of them, when one is not over. The looker's duties (monitor/race/watcher.h) are done on the
/// way.
SeenRuns see_runs(const std::vector<KnownRun>& runs);

/// A line on stderr for trouble; nothing when there is none.
void report_trouble(const std::string& trouble);

}  // namespace rv::monitor
