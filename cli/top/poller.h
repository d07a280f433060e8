// Polls runs, cluster and GPUs at their own intervals: one squeue per poll for all runs, and few enough polls that
// watching costs a hundredth of a core.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/invocation.h"
#include "cli/top/top_state.h"
#include "monitor/follow/poll_interval.h"
#include "monitor/race/watcher.h"
#include "monitor/run/resolve_run.h"
#include "planner/cluster/cluster.h"

namespace rv::cli::top {

class Poller {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Poller(const Invocation& invocation);

  /// Does the next poll that is due, the runs first. `selected`: the run whose GPUs are polled; empty: none.
  /// Returns whether anything was polled.
  bool look(const std::string& selected);
  /// All of them at once, and the GPUs of the newest run that is under way.
  void look_at_all();

  const Known& known() const { return known_; }

 private:
  /// When the next poll is due: after `least`, and after the pause that the cost of the last poll requires.
  struct Due {
    Clock::time_point at;
    void after(std::chrono::seconds least, std::chrono::duration<double> rest_wanted);
    bool is() const { return Clock::now() >= at; }
  };
  void look_at_runs();
  void look_at_cluster();
  void look_at_waits();
  void look_at_jobs();
  void look_at_gpus(const std::string& selected);
  void add_queue_places();

  const Invocation& invocation_;
  slurm::Gateway gateway_;
  std::vector<std::string> listed_;  // what the runs' folder held when they were last read
  std::vector<monitor::KnownRun> runs_;
  std::unique_ptr<monitor::Watcher> watcher_;
  monitor::PollInterval interval_;
  planner::Cluster cluster_;
  std::map<std::string, QueueSummary> places_;  // by run
  Known known_;
  Due runs_due_, cluster_due_, waits_due_, jobs_due_, gpus_due_;
  std::string gpus_of_;  // the run whose GPUs were polled last
};

}  // namespace rv::cli::top
