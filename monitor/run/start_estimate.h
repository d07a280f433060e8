// When a waiting run will have its GPUs, as far as anybody can say. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run/run_view.h"

namespace rv::monitor {

struct StartEstimate {
  TimePoint time;
  std::string basis;  // "Slurm's plan" or "predicted at submission"
};

/// Over the candidates that wait, the earliest. For each of them Slurm's own plan (backfill, which takes every job to
/// run to its limit and so is late rather than early) and the median that was predicted when it was submitted,
/// whichever comes first and is not past. Nothing for a run that does not wait, and where nobody has said anything.
std::optional<StartEstimate> estimate_start(const RunView& view, TimePoint created, TimePoint now);

}  // namespace rv::monitor
