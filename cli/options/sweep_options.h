// The options of rv sweep.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/container_options.h"
#include "cli/options/project_options.h"
#include "cli/options/request_options.h"
#include "reports/sweep/axis.h"
#include "reports/sweep/metric.h"

namespace rv::cli {

struct SweepOptions {
  std::shared_ptr<RequestOptions> request;
  std::vector<sweep::Axis> axes;
  int repeats = 1;
  std::optional<std::uint64_t> shuffle;
  double cooldown_s = 10;
  bool stop_after_oom = false, find_max = false;
  std::optional<int> at_most;
  std::optional<double> timeout_s;
  double every_s = 1;
  std::vector<sweep::MetricOption> metrics;
  std::string metrics_file;
  std::string throughput = sweep::steps_per_s;
  std::vector<int> out_of_memory_codes;
  std::string device = "gpu";
  std::string report_dir, worker_folder, notify;
  std::optional<std::string> hosts;  // a file or names; nothing: use Slurm, or --local
  std::optional<int> slots;
  ContainerOptions container;
  bool local = false, job_per_point = false, detach = false, dry_run = false, no_sync = false;
  ProjectOptions project;
  std::string drive;       // hidden: the report folder whose sweep is to be gone through here
  bool one_point = false;  // hidden: run only the next point of that sweep
};

/// Adds the options to the command; the values live as long as the returned pointer.
std::shared_ptr<SweepOptions> add_sweep_options(CLI::App& command);

/// "10s", "1.5m", "500ms"; a bare number is seconds. From `least` to a day. Throws Error(usage).
double seconds_value(std::string_view option, std::string_view text, double least);

}  // namespace rv::cli
