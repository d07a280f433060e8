#include "planner/cluster/tres.h"

namespace rv::planner {

std::optional<std::int64_t> amount(const Tres& tres, std::string_view name) {
  const auto found = tres.find(name);
  if (found == tres.end()) return std::nullopt;
  return found->second;
}

std::int64_t gpu_count(const Tres& tres) {
  if (const auto all = amount(tres, "gres/gpu")) return *all;
  constexpr std::string_view typed = "gres/gpu:";
  std::int64_t sum = 0;
  for (auto at = tres.lower_bound(typed); at != tres.end() && at->first.starts_with(typed); ++at) sum += at->second;
  return sum;
}

}  // namespace rv::planner
