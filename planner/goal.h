// What "best" means to the user.
#pragma once

namespace rv::planner {

enum class Aim { soonest, cheapest, mix };

struct Goal {
  Aim aim = Aim::soonest;
  double su_per_hour = 0;  // Aim::mix: what an hour sooner is worth
};

}  // namespace rv::planner
