// How much of the limits that jobs share is used at one moment of a replay.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class LimitUse {
 public:
  /// As in the snapshot.
  void reset(const std::vector<SharedLimit>& limits) { limits_ = limits; }

  /// True when a job with these amounts keeps within all of these limits.
  bool leaves_room(const std::vector<int>& limits, const std::vector<std::int64_t>& amounts) const {
    return std::all_of(limits.begin(), limits.end(), [&](int number) {
      const SharedLimit& limit = limits_[number];
      if (limit.most_jobs >= 0 && limit.jobs >= limit.most_jobs) return false;
      for (std::size_t i = 0; i < limit.most.size(); ++i) {
        if (limit.most[i] >= 0 && amounts[i] > 0 && limit.used[i] + amounts[i] > limit.most[i]) return false;
      }
      return true;
    });
  }

  void take(const ReplayJob& job) { change(job, 1); }
  void give_back(const ReplayJob& job) { change(job, -1); }

 private:
  void change(const ReplayJob& job, int sign) {
    for (const int number : job.limits) {
      SharedLimit& limit = limits_[number];
      limit.jobs += sign;
      for (std::size_t i = 0; i < limit.used.size(); ++i) limit.used[i] += sign * job.amounts[i];
    }
  }

  std::vector<SharedLimit> limits_;
};

}  // namespace rv::planner
