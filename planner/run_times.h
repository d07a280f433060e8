// How much of their time limit jobs really use, learned from finished ones.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
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

  /// The ratios of a group that a job may still have.
  struct Tail {
    struct Level {
      const float* first = nullptr;
      std::size_t count = 0;
      double mass = 0;
    };
    std::array<Level, 4> levels;
    int count = 0;
    double mass = 0;
  };

  /// Of a job that has used `used` (ratio) of its limit already: what is more.
  static Tail tail(const Group& group, double used);

  /// Run time ÷ limit of one such job; 0 ≤ chance < 1 picks one of a level's ratios, 0 ≤ level_chance < 1 the level.
  /// Whether a user's jobs are like his earlier ones or like everybody's is one question, not one for each job: who
  /// draws many of a group at once keeps level_chance. Where no known job ran that long, 1: the limit.
  static double draw(const Tail& tail, double level_chance, double chance);
  static double draw(const Group& group, double used, double level_chance, double chance) {
    return draw(tail(group, used), level_chance, chance);
  }

 private:
  using Ratios = std::vector<float>;
  std::unordered_map<std::string, Ratios> by_job_;
  std::unordered_map<std::string, Ratios> by_user_;
  std::unordered_map<std::string, Ratios> by_partition_;
  Ratios all_;
  std::size_t size_ = 0;
};

}  // namespace rv::planner
