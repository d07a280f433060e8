// The user's criterion for the best strategy.
#pragma once

#include <string>
#include <vector>

namespace rv::planner {

enum class Aim { soonest, cheapest, mix };

struct Goal {
  Aim aim = Aim::soonest;
  double su_per_hour = 0;  // Aim::mix: what starting an hour earlier is worth
  std::vector<std::string> preferred_partitions =
      {};  // ranked first among strategies that end at the same time and cost the same
};

}  // namespace rv::planner
