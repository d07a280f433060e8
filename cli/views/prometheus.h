// The runs as metrics, in Prometheus's text format.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"

namespace rv::cli {

struct Metrics {
  std::vector<monitor::RunRecord> records;
  std::vector<monitor::RunView> views;  // of the same runs
  bool slurm_answered = true;
  std::chrono::seconds window{0};  // runs that are over are among them if they were created within it
};

/// One sample a line, sorted by metric. The labels are states and GPU types, never names or IDs: the number of series
/// stays the same however many runs there are.
/// Format: https://prometheus.io/docs/instrumenting/exposition_formats/
std::string prometheus_text(const Metrics& metrics, slurm::TimePoint now);

/// Replaces the file, readable by all (a collector has its own user); "-": prints. Throws Error(usage) for a name that
/// node_exporter would not read, and Error if it can't be written.
void write_prometheus(const std::string& file, const std::string& text);

}  // namespace rv::cli
