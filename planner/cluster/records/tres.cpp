#include "planner/cluster/records/tres.h"

namespace rv::planner {

std::optional<std::int64_t> amount(const Tres& tres, const DatabaseName& name) {
  const auto found = tres.find(name);
  if (found == tres.end()) return std::nullopt;
  return found->second;
}

std::int64_t gpu_count(const Tres& tres) {
  if (const auto all = amount(tres, "gres/gpu")) return *all;
  std::int64_t sum = 0;
  for (auto at = tres.lower_bound(typed_gpu); at != tres.end() && at->first.starts_with(typed_gpu); ++at)
    sum += at->second;
  return sum;
}

}  // namespace rv::planner
