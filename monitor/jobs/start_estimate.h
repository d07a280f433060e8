// When a waiting run will have its GPUs, as far as anybody can say. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"

namespace rv::monitor {

struct StartEstimate {
  TimePoint time;
  std::string basis;  // "Slurm's plan" or "predicted at submission"
  /// Between these it starts in 8 of 10 futures, as predicted at submission; nothing where it was not predicted or the
  /// time is Slurm's plan, which is one time.
  std::optional<TimePoint> earliest;
  std::optional<TimePoint> latest;
  /// What was predicted at first, where the time is now another: how the wait has changed.
  std::optional<TimePoint> at_first;
};

/// Over the candidates that wait, the earliest. For each of them Slurm's own plan (backfill, which takes every job to
/// run to its limit and so is late rather than early) and the median that was predicted when it was submitted,
/// whichever comes first and is not past. Nothing for a run that does not wait, and where there is no estimate.
std::optional<StartEstimate> estimate_start(const RunView& view, TimePoint created, TimePoint now);

/// "in about 12m (3m to 40m, predicted at submission)", "in about 2h (Slurm's plan; first prediction: in 20m)".
std::string in_words(const StartEstimate& start, TimePoint now);

}  // namespace rv::monitor
