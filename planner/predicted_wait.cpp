#include "planner/predicted_wait.h"

#include <algorithm>

#include "planner/cluster/budget.h"
#include "planner/start_latency.h"
#include "planner/strategies/licences.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// The longest limit that starts soon in half of the trials, in steps a person would type.
std::optional<seconds> typical_window(std::vector<ReplayTime> windows, const Strategy& strategy) {
  if (windows.empty()) return std::nullopt;
  const auto middle = windows.begin() + static_cast<std::ptrdiff_t>(windows.size()) / 2;
  std::nth_element(windows.begin(), middle, windows.end());
  const ReplayTime step = *middle > 3600 ? 600 : 300;
  const seconds window(*middle / step * step);
  if (window <= seconds(0) || window >= strategy.time_limit) return std::nullopt;
  return window;
}

/// In nine trials of ten nothing is in the way: what P90 tells.
bool is_free_now(const Prospect& prospect) {
  return summary_of(prospect.starts, "").p90 == seconds(0);
}

}  // namespace

void set_predicted_wait(Strategy& strategy, Prospect& prospect, const Forecast& seen,
                        const std::vector<ReplayTime>& launches) {
  const std::string basis = is_free_now(prospect) ? std::string(free_now_basis) : seen.basis;
  add_start_latency(prospect, launches);
  strategy.wait = summary_of(prospect.starts, basis);
  if (!strategy.wait.p50 && seen.holders_unseen) strategy.wait.basis = unseen_basis;
  strategy.wait.trials = prospect.starts;
  strategy.wait.window = typical_window(prospect.windows, strategy);
}

void mark_unknown_waits(std::vector<Strategy>& strategies, const Cluster& cluster) {
  for (Strategy& strategy : strategies) {
    std::string waits;
    for (const std::string& name : strategy.partitions) {
      const Partition* partition = cluster.find_partition(name);
      waits = partition == nullptr ? "" : waits_for_run_minutes(cluster, *partition, strategy);
      if (waits.empty()) break;
    }
    if (waits.empty()) waits = waits_for_licences(cluster, strategy);
    if (waits.empty()) continue;
    strategy.wait = Wait{};
    strategy.wait.basis = "unknown: " + waits;
    strategy.finish.reset();
  }
}

}  // namespace rv::planner
