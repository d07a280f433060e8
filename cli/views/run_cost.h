// The cost of a run so far and its possible total, from its records. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"

namespace rv::cli {

struct RunCost {
  double gpu_hours = 0;         // so far
  std::optional<double> spent;  // SU so far; nothing: the price is not known
  std::optional<double> up_to;  // SU when it takes all the time it may; of a run that is over: what was spent
};

RunCost cost_of(const monitor::RunView& view, monitor::TimePoint now);

/// The key by which costs are summed: the month of the run's creation ("2026-11"), its name, or the GPU type that it
/// got. Of a run that has none yet: the only type that it waits for, else "several".
enum class CostKey { month, name, type };

/// The runs with the same key together. SU count only runs whose price is known.
struct CostGroup {
  std::string key;
  int runs = 0;
  double gpu_hours = 0;
  double failed_gpu_hours = 0;   // of runs that went wrong
  double stopped_gpu_hours = 0;  // of runs that were stopped
  double spent = 0;
  double failed = 0;
  double stopped = 0;
  double waiting = 0;  // at most, of runs that have not started
  int without_price = 0;
};

/// By key, in natural order. The lists are of the same runs.
std::vector<CostGroup> grouped_costs(CostKey by, const std::vector<monitor::RunRecord>& records,
                                     const std::vector<monitor::RunView>& views, const std::vector<RunCost>& costs);

}  // namespace rv::cli
