// Follows runs: one query of Slurm per poll for all of them, and the pending work that any rv that polls a run performs
// (it resumes a race whose rv died, cancels losing candidates, records an outcome). A poll observes (observer.h),
// decides (reconcile.h) and acts (act.h).
#pragma once

#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"
#include "monitor/race/observer.h"
#include "monitor/race/reconcile.h"
#include "slurm/gateway.h"

namespace rv::monitor {

class Watcher {
 public:
  /// `records`: run.json of each of `runs`, if the caller has read them; otherwise the first poll reads them.
  Watcher(slurm::Gateway& gateway, std::vector<RunFolder> runs, const std::vector<RunRecord>& records = {});
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Reads the folders, and queries Slurm once if `ask` is set and a run has no outcome. Returns one view for each run.
  const std::vector<RunView>& poll(bool ask);

  const std::vector<RunView>& views() const { return views_; }
  /// Slurm's message if the last query or cancellation failed; empty if both succeeded.
  const std::string& trouble() const { return observer_.trouble().empty() ? cancel_trouble_ : observer_.trouble(); }
  /// Whether the last poll gave another result than the one before.
  bool changed() const { return changed_; }

 private:
  /// Records the run's end, or starts the run again. Decides again if another process has changed the ledger meanwhile.
  RunView end(std::size_t run, Observation& seen, Decision decision);

  slurm::Gateway& gateway_;
  std::vector<RunFolder> runs_;
  Observer observer_;  // of runs_
  std::vector<RunView> views_;
  std::string cancel_trouble_;  // why Slurm did not cancel jobs that the runs do not need
  bool changed_ = true;
};

}  // namespace rv::monitor
