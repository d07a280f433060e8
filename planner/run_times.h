// How much of their time limit jobs really use, learned from finished ones.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/finished_job.h"

namespace rv::planner {

class RunTimes {
 public:
  /// The ratios that say something about one kind of job, from its own group to everybody's.
  struct Group {
    struct Level {
      const std::vector<float>* ratios = nullptr;  // ascending
      double weight = 0;
    };
    std::array<Level, 4> levels;
    int count = 0;  // of levels; 0: nothing is known, jobs run to their limits
  };

  RunTimes() = default;

  /// Jobs without a limit, and jobs that never started, say nothing.
  explicit RunTimes(const std::vector<FinishedJob>& finished);

  /// Finished jobs learned from.
  std::size_t size() const { return size_; }

  /// Shrinkage: a level with n ratios gets n/(n+10) of the weight that the narrower ones left. The levels are
  /// (user, account, partition), (user, partition), partition, all. Points into this object.
  Group group(const std::string& user, const std::string& account, const std::string& partition) const;

  /// Run time ÷ limit of one job that has used `used` (ratio) of its limit already: the distribution under the
  /// condition that it is more. 0 ≤ chance < 1 picks. Where no known job ran that long, 1: the limit.
  static double draw(const Group& group, double used, double chance);

 private:
  using Ratios = std::vector<float>;
  std::unordered_map<std::string, Ratios> by_job_;
  std::unordered_map<std::string, Ratios> by_user_;
  std::unordered_map<std::string, Ratios> by_partition_;
  Ratios all_;
  std::size_t size_ = 0;
};

}  // namespace rv::planner
