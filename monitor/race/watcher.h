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
  /// `records`: of these runs in their order, where they have been read already; else the first poll reads them.
  Watcher(slurm::Gateway& gateway, std::vector<RunFolder> runs, const std::vector<RunRecord>& records = {});
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Reads the folders, and asks Slurm once when `ask` is set and something is open. The views are in the order of the
  /// runs.
  const std::vector<RunView>& poll(bool ask);

  const std::vector<RunView>& views() const { return views_; }
  /// Slurm's words when the last question or cancellation got no answer; empty when it did.
  const std::string& trouble() const { return observer_.trouble().empty() ? cancel_trouble_ : observer_.trouble(); }
  /// True when the last poll showed something else than the one before.
  bool changed() const { return changed_; }

 private:
  /// Writes an end down, or starts the run again; decides again if another process has decided something meanwhile.
  RunView end(std::size_t run, Observation& seen, Decision decision);

  slurm::Gateway& gateway_;
  std::vector<RunFolder> runs_;
  Observer observer_;  // of runs_
  std::vector<RunView> views_;
  std::string cancel_trouble_;  // why Slurm did not cancel jobs that the runs do not need
  bool changed_ = true;
};

}  // namespace rv::monitor
