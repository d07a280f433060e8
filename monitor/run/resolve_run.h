// What a user types for a run → its folder.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// All runs of a folder ($RV_HOME/runs), newest first. A folder whose run.json can't be read is left out.
struct KnownRun {
  monitor::RunFolder folder;
  monitor::RunRecord record;
  bool over = false;  // has an outcome
};
std::vector<KnownRun> known_runs(const std::string& runs_folder);

/// Those that have no outcome yet, in the same order.
std::vector<KnownRun> open_runs(const std::vector<KnownRun>& runs);

/// The order of `known_runs`, which is total: by the moment of creation, and by ID where two share it.
bool is_newer(const monitor::RunRecord& a, const monitor::RunRecord& b);

/// For commands that only look: the exact ID; else the exact name, of several the newest that is not over, or the
/// newest; else the run that has or had a Slurm job of this ID ("4711", "4711_3"), of several one that is not over, or
/// the newest; else the only ID that begins so among the runs that are not over, or among all. `runs` newest first.
/// Throws Error(no_such_run) for an empty or unknown word, with the nearest known, and for an ambiguous one, with the
/// candidates.
KnownRun resolve_run(const std::vector<KnownRun>& runs, const std::string& word);

/// For commands that end something or start work that hangs on the run: what is not beyond doubt is refused. The exact
/// ID; else the exact name, if one run that is not over has it, or only one run at all; else the ID of a Slurm job, in
/// the same way; else the only ID that begins so
/// among the runs that are not over. Throws as resolve_run does.
KnownRun resolve_certain_run(const std::vector<KnownRun>& runs, const std::string& word);

/// Throws Error(no_such_run) for an empty word, which names no run: an unset variable, as a rule.
void refuse_empty(const std::string& word);

/// Prints on stderr which run a word selected, unless it is the run's ID: "rv: train is run k3f9x2".
void say_what_was_taken(const std::string& word, const monitor::RunRecord& run);

/// The newest run, for commands that may be called without an ID. Throws Error(no_such_run) when there is none.
KnownRun latest_run(const std::vector<KnownRun>& runs);

}  // namespace rv::monitor
