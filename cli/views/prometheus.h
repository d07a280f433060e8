// The runs as metrics, in Prometheus's text format.
#pragma once

#include <chrono>
#include <string>

#include "monitor/race/watch_runs.h"

namespace rv::cli {

/// One sample a line, sorted by metric. The labels are states and GPU types, never names or IDs: the number of series
/// stays the same however many runs there are. `window`: over runs are in `seen` if they were created within it.
/// Format: https://prometheus.io/docs/instrumenting/exposition_formats/
std::string prometheus_text(const monitor::SeenRuns& seen, std::chrono::seconds window, slurm::TimePoint now);

/// Replaces the file, readable by all (a collector has its own user); "-": prints. Throws Error(usage) for a name that
/// node_exporter would not read, and Error if it can't be written.
void write_prometheus(const std::string& file, const std::string& text);

}  // namespace rv::cli
