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
  /// `records`: run.json of each of `runs`, if the caller has read them; otherwise the first poll reads them.
  Observer(slurm::Gateway& gateway, const std::vector<RunFolder>& runs, const std::vector<RunRecord>& records);

  /// Returns one observation for each run. It queries Slurm if `ask` is set and a run has no outcome yet.
  std::vector<Observation> poll(bool ask);
  /// Reads only the folder of run number `run`. `elsewhere`: the result of the poll before.
  Observation poll_again(std::size_t run, bool elsewhere);

  /// Slurm's message if the last query failed; empty if it succeeded.
  const std::string& trouble() const { return trouble_; }

 private:
  using Controller =
      std::optional<slurm::QueryResult<slurm::ControllerIdentity>>;  // queried when a poll first needs it

  /// Reads the folders, then the queue if `ask` is set and a run needs it.
  std::vector<RunInQueue> read_runs(bool ask, Lookup& lookup);
  QueueView query_queue(const std::vector<RunFacts>& runs, Lookup& lookup);
  /// Updates the status of the runs' jobs. Returns the jobs that are not in the queue and for which Slurm was queried.
  std::set<JobKey> look_up(const std::vector<RunInQueue>& runs, Lookup& lookup);
  /// Finds the run's jobs in the queue. Returns those whose record must be read: jobs that the queue does not list, or
  /// whose row lacks something.
  std::vector<JobKey> find_in_queue(const RunInQueue& run);
  /// Queries Slurm for jobs that the queue does not list; the longer a job is unknown, the less often. Returns the jobs
  /// for which it was queried now.
  std::set<JobKey> ask_about(const std::vector<JobKey>& vanished, Lookup& lookup);
  std::vector<SlurmFindings> findings_of(const std::vector<RunInQueue>& runs, const std::set<JobKey>& asked);
  /// Decides how jobs ended that neither the controller nor accounting has known for a while. `asked`: the jobs queried
  /// in this poll. Returns the jobs that stay unknown.
  std::vector<JobId> settle_unknown_to_slurm(const RunInQueue& run, const std::set<JobKey>& asked,
                                             Controller& controller);
  /// Marks commands inside other runs that have begun, are not recorded as ended, and have no step any more.
  void find_ended_steps(const std::vector<RunInQueue>& runs, std::vector<SlurmFindings>& findings);
  /// Whether a partly submitted race belongs to another cluster that uses the same home folder.
  bool is_elsewhere(const RunFacts& facts, Controller& controller);
  /// Whether Slurm's answer may be newer than the facts that were read from the folder.
  bool may_have_moved(const RunFacts& facts) const;
  /// Reads a folder again if Slurm's answer may be newer: a job that has just ended has written its record before Slurm
  /// reports the end.
  void read_moved(std::vector<RunInQueue>& runs, const std::vector<SlurmFindings>& findings);
  ClientMachine machine(std::size_t run) const;

  /// When to query again for a job that Slurm did not know.
  struct RetrySchedule {
    std::chrono::steady_clock::time_point next;
    std::chrono::seconds wait{2};
  };

  slurm::Gateway& gateway_;
  const std::vector<RunFolder>& runs_;
  std::vector<KnownFacts> known_;
  std::vector<std::chrono::seconds> lags_;  // ClientMachine::lag of each run's file system
  std::string host_;
  std::string cluster_;  // the cluster name that the controller reported; empty until it was queried
  std::map<JobKey, RetrySchedule> unknown_;
  KnownJobs jobs_;
  std::string trouble_;
};

}  // namespace rv::monitor
