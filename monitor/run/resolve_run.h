// Finds the run that a user means: by ID, by name, by Slurm job, or by the beginning of an ID. Only the run that is
// found, and runs that are not over, are read from their folders.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/listed_runs.h"

namespace rv::monitor {

/// Finds the run for a command that only reads. `runs` are sorted, newest first. The first rule that matches decides:
/// 1. The word is the run's ID.
/// 2. The word is the run's name.
/// 3. The word is the ID of a Slurm job that the run has or had ("4711", "4711_3").
/// 4. The run's ID begins with the word.
///
/// In each rule a run that is not over precedes runs that are over. Of several runs, rules 2 and 3 take the newest;
/// rule 4 throws Error(no_such_run) with a list of them. An empty or unknown word throws it too, with the nearest known
/// name.
KnownRun resolve_run(const std::vector<ListedRun>& runs, const std::string& word);

/// Finds the run for a command that ends something, or starts work that depends on the run. It differs from resolve_run
/// in two ways, so that the user certainly means this run: if a rule matches several runs, it throws, and rule 4
/// selects only runs that are not over.
KnownRun resolve_certain_run(const std::vector<ListedRun>& runs, const std::string& word);

/// Throws Error(no_such_run) if the word is empty, as from a script's unset variable.
void refuse_empty(const std::string& word);

/// Prints on stderr which run the word selected, unless the word is its ID: "rv: train is run k3f9x2".
void say_what_was_taken(const std::string& word, const monitor::RunRecord& run);

/// Returns the newest run, for commands that may be called without an ID. Throws Error(no_such_run) if `runs` is empty.
KnownRun latest_run(const std::vector<ListedRun>& runs);

}  // namespace rv::monitor
