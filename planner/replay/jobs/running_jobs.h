// The running jobs at one moment of a replay, by slot. A slot is reused after its job has ended.
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
    bool ending = false;          // preempted, and in its grace period
    std::vector<int> nodes;
  };
  static constexpr ReplayTime no_job = -1;

  void clear();

  /// Adds a job and returns its slot. `limit_end`: when Slurm expects it to end.
  int add(int job, int group, ReplayTime began, ReplayTime limit_end);
  /// Adds a node to the job. `partitions`: bits of the node's partitions.
  void add_node(int slot, int node, std::uint64_t partitions) {
    jobs_[slot].nodes.push_back(node);
    releases_[slot].partitions |= partitions;
  }
  void remove(int slot);
  /// Changes the time at which Slurm expects the job to end.
  void set_limit_end(int slot, ReplayTime end) { releases_[slot].limit_end = end; }

  StartedJob& at(int slot) { return jobs_[slot]; }
  const StartedJob& at(int slot) const { return jobs_[slot]; }
  /// Number of slots, including free ones.
  std::size_t slots() const { return jobs_.size(); }

  /// Appends the limit ends of the jobs on nodes of these partitions, unsorted.
  void limit_ends(std::uint64_t partitions, std::vector<ReplayTime>& into) const {
    for (const Release& release : releases_) {
      if ((release.partitions & partitions) != 0) into.push_back(release.limit_end);
    }
  }

  /// Calls `call(slot, limit_end)` for each running job.
  template <typename Call>
  void each_slot(const Call& call) const {
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      if (releases_[i].partitions != 0) call(static_cast<int>(i), releases_[i].limit_end);
    }
  }

 private:
  /// In an array of their own, because loops over all of them are frequent.
  struct Release {
    std::uint64_t partitions = 0;  // 0: the slot is free
    ReplayTime limit_end = 0;
  };

  std::vector<StartedJob> jobs_;
  std::vector<Release> releases_;  // by slot
  std::vector<int> free_slots_;
};

}  // namespace rv::planner
