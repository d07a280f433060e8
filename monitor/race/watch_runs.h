// One poll of many runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"

namespace rv::monitor {

struct PolledRuns {
  std::vector<monitor::RunRecord> records;
  std::vector<monitor::RunView> views;
  std::string trouble;  // Slurm's message if it did not answer; the views then have what the folders say
};

/// Queries Slurm once for all of them, unless all are over for long. Pending work (monitor/race/watcher.h) is done on
/// the way, that of `also_polled` too, which are not returned.
PolledRuns poll_runs(const std::vector<KnownRun>& runs, const std::vector<KnownRun>& also_polled = {});

/// Returns those of `runs` that ended in the last ten minutes. A controller that was killed and has an older state can
/// bring a job of theirs back; the next poll cancels it.
std::vector<KnownRun> recently_ended(const std::vector<KnownRun>& runs);

struct PolledRun {
  KnownRun run;
  RunView view;
};

/// The run that `word` names (see resolve_run). Without a word, for commands that need GPUs: the newest run that holds
/// some, else the newest that waits for some. Throws Error(no_such_run) when there is neither.
PolledRun poll_named_or_holding(const std::vector<KnownRun>& runs, const std::optional<std::string>& word);

/// Whether the run's command or hold is on its nodes, as far as its folder and Slurm say.
bool holds_gpus(const RunFolder& folder, const RunView& view);

/// A line on stderr for trouble; nothing when there is none.
void report_trouble(const std::string& trouble);

}  // namespace rv::monitor
