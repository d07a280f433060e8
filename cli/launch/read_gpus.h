// Reads the state of a run's GPUs on its nodes.
#pragma once

#include <optional>

#include "cli/views/gpu_readings.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {

/// One step of the job on all of its nodes; `element`: of an array. Throws Error if no step can be started.
GpuReadings read_gpus(const monitor::KnownRun& run, const monitor::RunView& view, std::optional<int> element);

}  // namespace rv::cli
