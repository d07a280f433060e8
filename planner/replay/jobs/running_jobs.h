// The jobs that run at one moment of a replay, by slot. A slot of a job that is over is given to the next one.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class RunningJobs {
 public:
  struct StartedJob {
    int job = 0;
    int group = -1;  // of ReplayModel::preemption_groups
    ReplayTime began = 0;
    ReplayTime ends_at = no_job;  // an end event at another time belongs to an earlier job
    bool preemptible = false;     // counted in PreemptibleResources
    bool ending = false;          // in the grace of its preemption
    std::vector<int> nodes;
  };
  static constexpr ReplayTime no_job = -1;

  void clear();

  /// The new job's slot. `limit_end`: when Slurm expects it to be over.
  int add(int job, int group, ReplayTime began, ReplayTime limit_end);
  /// It runs on this node too. `partitions`: those of the node, a bit each.
  void add_node(int slot, int node, std::uint64_t partitions) {
    jobs_[slot].nodes.push_back(node);
    releases_[slot].partitions |= partitions;
  }
  void remove(int slot);
  /// Slurm expects it to be over at another time.
  void set_limit_end(int slot, ReplayTime end) { releases_[slot].limit_end = end; }

  StartedJob& at(int slot) { return jobs_[slot]; }
  const StartedJob& at(int slot) const { return jobs_[slot]; }
  /// Slots there are, those of jobs that are over included.
  std::size_t slots() const { return jobs_.size(); }

  /// Appends the limit ends of the jobs on nodes of these partitions, in no order.
  void limit_ends(std::uint64_t partitions, std::vector<ReplayTime>& into) const {
    for (const Release& release : releases_) {
      if ((release.partitions & partitions) != 0) into.push_back(release.limit_end);
    }
  }

  /// Calls with the slot and the limit end of each job.
  template <typename Call>
  void each_slot(const Call& call) const {
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      if (releases_[i].partitions != 0) call(static_cast<int>(i), releases_[i].limit_end);
    }
  }

 private:
  /// Apart from the runs, as all are gone through often.
  struct Release {
    std::uint64_t partitions = 0;  // 0: no job runs
    ReplayTime limit_end = 0;
  };

  std::vector<StartedJob> jobs_;
  std::vector<Release> releases_;  // by slot
  std::vector<int> free_slots_;
};

}  // namespace rv::planner
