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

/// Polls `runs`, with at most one query of Slurm, and performs their pending work (monitor/race/watcher.h). The runs in
/// `also_polled` are polled too, but not returned.
PolledRuns poll_runs(const std::vector<KnownRun>& runs, const std::vector<KnownRun>& also_polled = {});

struct PolledRun {
  KnownRun run;
  RunView view;
};

/// Polls and returns the run that `word` names (see resolve_run). Without a word, for commands that need GPUs: the
/// newest run that holds GPUs, else the newest that waits for GPUs. Throws Error(no_such_run) if there is neither.
PolledRun poll_named_or_holding(const std::vector<ListedRun>& runs, const std::optional<std::string>& word);

/// Whether the run's command or hold is on its nodes, according to its folder and Slurm.
bool holds_gpus(const RunFolder& folder, const RunView& view);

/// Prints the message as one line on stderr; prints nothing if it is empty.
void report_trouble(const std::string& trouble);

}  // namespace rv::monitor
