// What "best" means to the user.
#pragma once

#include <string>
#include <vector>

namespace rv::planner {

enum class Aim { soonest, cheapest, mix };

struct Goal {
  Aim aim = Aim::soonest;
  double su_per_hour = 0;                              // Aim::mix: what an hour sooner is worth
  std::vector<std::string> preferred_partitions = {};  // first among strategies that end as soon and cost as much
};

}  // namespace rv::planner
