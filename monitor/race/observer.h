// Reads the folders of runs, and queries Slurm once for all of them. Writes nothing.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "monitor/race/observation.h"
#include "monitor/race/unknown_to_slurm.h"
#include "slurm/gateway.h"

namespace rv::monitor {

class Observer {
 public:
  /// `records`: of these runs in their order, where they have been read already; else the first poll reads them.
  Observer(slurm::Gateway& gateway, const std::vector<RunFolder>& runs, const std::vector<RunRecord>& records);

  /// In the order of the runs. Slurm is asked when `ask` is set and a run has no outcome yet.
  std::vector<Observation> poll(bool ask);
  /// Reads this run's folder again.
  void poll_again(std::size_t run, Observation& seen);

  /// Slurm's words when the last question got no answer; empty when it did.
  const std::string& trouble() const { return trouble_; }

 private:
  void ask_slurm(std::vector<Observation>& all);
  /// Finds the run's jobs in the queue. Returns those whose record must be read: jobs that the queue does not list, or
  /// whose row lacks something.
  std::vector<JobKey> find_in_queue(const Observation& seen);
  /// Asks about jobs that the queue does not list, the longer they are unknown, the less often.
  /// Returns those that were asked about now.
  std::set<JobKey> ask_about(const std::vector<JobKey>& vanished, Lookup& lookup);
  /// Decides what became of jobs that neither squeue nor sacct has known for a while. `asked`: the jobs queried in this
  /// poll. `controller` is filled once per poll, when it is first needed.
  void settle_unknown_to_slurm(Observation& seen, const std::set<JobKey>& asked,
                               std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller);
  /// Notes whether a partly submitted race belongs to another cluster that uses the same home folder. Fills
  /// `controller` as above.
  void note_cluster(Observation& seen, std::optional<slurm::Answer<slurm::ControllerIdentity>>& controller);
  /// Slurm's answer shows that something may have happened that was not yet in the folder.
  bool may_have_moved(const RunFacts& facts) const;
  std::map<JobId, JobStatus> statuses_of(const RunFacts& facts) const;
  /// Adds what is known besides the facts and the queue.
  void complete(std::size_t run, Observation& seen) const;

  /// When to ask again about a job that nobody knew.
  struct Patience {
    std::chrono::steady_clock::time_point next;
    std::chrono::seconds wait{2};
  };

  slurm::Gateway& gateway_;
  const std::vector<RunFolder>& runs_;
  std::vector<KnownFacts> known_;
  std::vector<std::chrono::seconds> lags_;  // of each run's file system
  std::string host_;
  std::string cluster_;  // the controller's own name, once it was needed and reported
  std::map<JobKey, Patience> unknown_;
  std::map<JobKey, JobStatus> statuses_;
  std::map<JobKey, Sighting> seen_;  // in the queue and alive, by this observer: the last time
  std::string trouble_;
};

}  // namespace rv::monitor
