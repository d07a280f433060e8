// What a user types for a run → its folder.
#pragma once

#include <string>
#include <vector>

#include "cli/settings.h"
#include "monitor/run_folder.h"

namespace rv::cli {

/// $RV_HOME/runs.
std::string runs_folder(const Settings& settings);

/// All runs, newest first. A folder whose run.json can't be read is left out.
struct KnownRun {
  monitor::RunFolder folder;
  monitor::RunRecord record;
  bool over = false;  // has an outcome
};
std::vector<KnownRun> known_runs(const Settings& settings);

/// Exact ID, then unique ID prefix, then name (the only one that is not over, or the only one at all). Throws
/// Error(no_such_run) for an unknown word, with the nearest known, and for an ambiguous one, with the candidates.
KnownRun resolve_run(const std::vector<KnownRun>& runs, const std::string& word);

/// The newest run, for commands that may be called without an ID. Throws Error(no_such_run) when there is none.
KnownRun latest_run(const std::vector<KnownRun>& runs);

}  // namespace rv::cli
