// Reads the folders of runs, and queries Slurm once for all of them. Writes nothing.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "monitor/race/observation.h"
#include "slurm/gateway.h"

namespace rv::monitor {

class Observer {
 public:
  /// `records`: of these runs in their order, where they have been read already; else the first poll reads them.
  Observer(slurm::Gateway& gateway, const std::vector<RunFolder>& runs, const std::vector<RunRecord>& records);

  /// In the order of the runs. Slurm is asked when `ask` is set and a run has no outcome yet.
  std::vector<Observation> poll(bool ask);
  /// Reads only this run's folder. `elsewhere`: as the poll before has found.
  Observation poll_again(std::size_t run, bool elsewhere);

  /// Slurm's words when the last question got no answer; empty when it did.
  const std::string& trouble() const { return trouble_; }

 private:
  using Controller =
      std::optional<slurm::QueryResult<slurm::ControllerIdentity>>;  // filled when it is first needed in a poll

  /// Reads the folders, then the queue if `ask` is set and a run needs it.
  std::vector<RunInQueue> read_runs(bool ask, Lookup& lookup);
  QueueView query_queue(const std::vector<RunFacts>& runs, Lookup& lookup);
  /// Updates the status of the runs' jobs. Returns the jobs that are not in the queue and were asked about now.
  std::set<JobKey> look_up(const std::vector<RunInQueue>& runs, Lookup& lookup);
  /// Finds the run's jobs in the queue. Returns those whose record must be read: jobs that the queue does not list, or
  /// whose row lacks something.
  std::vector<JobKey> find_in_queue(const RunInQueue& run);
  /// Asks about jobs that the queue does not list, the longer they are unknown, the less often.
  /// Returns those that were asked about now.
  std::set<JobKey> ask_about(const std::vector<JobKey>& vanished, Lookup& lookup);
  std::vector<SlurmFindings> findings_of(const std::vector<RunInQueue>& runs, const std::set<JobKey>& asked);
  /// Decides what became of jobs that neither squeue nor sacct has known for a while. `asked`: the jobs queried in this
  /// poll. Returns the jobs that neither knows.
  std::vector<JobId> settle_unknown_to_slurm(const RunInQueue& run, const std::set<JobKey>& asked,
                                             Controller& controller);
  /// Whether a partly submitted race belongs to another cluster that uses the same home folder.
  bool is_elsewhere(const RunFacts& facts, Controller& controller);
  /// Slurm's answer shows that something may have happened that was not yet in the folder.
  bool may_have_moved(const RunFacts& facts) const;
  /// Reads the folders of runs of whose jobs Slurm's answer may be newer: a job that has just ended has its record by
  /// now.
  void read_moved(std::vector<RunInQueue>& runs);
  ClientMachine machine(std::size_t run) const;

  /// When to query again for a job that Slurm did not know.
  struct RetrySchedule {
    std::chrono::steady_clock::time_point next;
    std::chrono::seconds wait{2};
  };

  slurm::Gateway& gateway_;
  const std::vector<RunFolder>& runs_;
  std::vector<KnownFacts> known_;
  std::vector<std::chrono::seconds> lags_;  // of each run's file system
  std::string host_;
  std::string cluster_;  // the controller's own name, once it was needed and reported
  std::map<JobKey, RetrySchedule> unknown_;
  KnownJobs jobs_;
  std::string trouble_;
};

}  // namespace rv::monitor
