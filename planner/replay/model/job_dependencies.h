// Jobs that wait for others (sbatch --dependency).
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class JobDependencies {
 public:
  /// Job `number` of the model has this base ID, which dependencies name. An array has several jobs.
  void add_job(std::int64_t base_id, int number) { numbers_[base_id].push_back(number); }

  /// Job `number` does not start by itself, such as a held one; nor do jobs that wait for it.
  void add_never_starting(int number) { never_start_.insert(number); }

  /// Job `number` waits for the base IDs of a dependency such as "afterok:12(unfulfilled),afterany:13_4".
  void add_waiting(int number, std::string_view dependency);

  /// Sets ReplayJob::after of the waiting jobs, once all jobs have been added. A job that waits for one that never
  /// starts, or for one that is not in the queue, is never eligible. Returns how many wait for one that is not in the
  /// queue.
  int resolve(std::vector<ReplayJob>& jobs) const;

 private:
  struct Waiting {
    int number = 0;
    std::vector<std::int64_t> ids;
  };

  std::unordered_map<std::int64_t, std::vector<int>> numbers_;
  std::vector<Waiting> waiting_;
  std::set<int> never_start_;
};

}  // namespace rv::planner
