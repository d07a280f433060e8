// All runs of a user.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/ended_runs.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// A run as a list shows it. A run is over when its ledger has an outcome, which can still change if it is `unknown`.
/// A run that ended more than ten minutes ago comes from the index (ended_runs.h).
struct ListedRun {
  RunFolder folder;
  std::string name;
  TimePoint created;
  std::chrono::nanoseconds created_ns{0};
  bool over = false;
  std::shared_ptr<const RunRecord> record = nullptr;  // null: the run is in the index
  std::shared_ptr<const EndedRun> ended = nullptr;    // its entry in the index

  std::string id() const { return folder.id(); }
  const std::string& work_folder() const { return record ? record->work_folder : ended->work_folder; }
  /// The prefix of its Python environment; empty: none.
  std::string environment() const;
};

/// A run that is read from its folder.
struct KnownRun {
  RunFolder folder;
  RunRecord record;
  bool over = false;
};

struct RunList {
  std::vector<ListedRun> runs;  // newest first
  int unreadable = 0;           // folders with a run.json that can't be read: damaged, or a later rv's
};

/// Lists the runs of a folder ($RV_HOME/runs), and adds those that ended more than ten minutes ago to the index.
RunList list_runs(const std::string& runs_folder);

/// The `runs` of list_runs().
std::vector<ListedRun> runs_in(const std::string& runs_folder);

/// Reads a run's folder, unless it has been read for the list. Throws Error if the folder is gone.
KnownRun read_run(const ListedRun& run);

/// Reads those whose folder is still there.
std::vector<KnownRun> read_runs(const std::vector<ListedRun>& runs);

/// Returns the runs that have no outcome yet, in the same order.
std::vector<KnownRun> open_runs(const std::vector<ListedRun>& runs);

/// Returns those that ended in the last ten minutes. A controller that was killed and has an older state can bring a
/// job of theirs back; the next poll cancels it.
std::vector<KnownRun> recently_ended(const std::vector<ListedRun>& runs);

/// When the run ended; nothing while it has no outcome, or one that can still change. Reads the folder unless the run
/// is in the index.
std::optional<TimePoint> end_time(const ListedRun& run);

/// The order of a list: by time of creation, then by ID. No two runs are equal in it.
bool is_newer(const ListedRun& a, const ListedRun& b);

}  // namespace rv::monitor
