#include "planner/cost.h"

namespace rv::planner {

std::optional<double> cost_su(const Strategy& strategy, double su_factor) {
  if (!strategy.gpu.su_per_gpu_hour) return std::nullopt;
  const double hours = std::chrono::duration<double, std::ratio<3600>>(strategy.work_time).count();
  return strategy.gpus() * hours * *strategy.gpu.su_per_gpu_hour * su_factor;
}

}  // namespace rv::planner
