// Estimates when a waiting run gets its GPUs. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"

namespace rv::monitor {

struct StartEstimate {
  TimePoint time;
  std::string basis;  // "Slurm's plan" or "predicted at submission"
  /// The range from 10 to 90 % of the wait, as predicted at submission. Nothing if no range was predicted, or if the
  /// time is Slurm's plan, which is one time.
  std::optional<TimePoint> earliest;
  std::optional<TimePoint> latest;
  /// The first prediction, if `time` is more than a minute later: the wait has become longer.
  std::optional<TimePoint> at_first;
};

/// Returns the earliest estimate of all waiting candidates; nothing if the run does not wait, or has no estimate. A
/// candidate has two: Slurm's own plan and the median that was predicted at submission. The earlier one that is not
/// past counts. Slurm's plan is late rather than early, because backfill assumes that every job runs to its limit.
std::optional<StartEstimate> estimate_start(const RunView& view, TimePoint created, TimePoint now);

/// "in about 12m (3m to 40m, predicted at submission)", "in about 2h (Slurm's plan; first prediction: in 20m)".
std::string in_words(const StartEstimate& start, TimePoint now);

}  // namespace rv::monitor
