// The options of rv stress.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/container_options.h"
#include "cli/options/invocation.h"
#include "cli/options/project_options.h"
#include "cli/options/request_options.h"
#include "reports/stress/judgement.h"

namespace rv::cli {

struct StressOptions {
  std::shared_ptr<RequestOptions> request;
  std::optional<int> workers, memory_mib;
  double duration_s = 60;
  std::optional<double> reference_s;
  double silence_s = 30, launch_timeout_s = 300;
  bool skip_stress = false, skip_launch = false, cleanup = false, local = false, detach = false, dry_run = false;
  bool no_sync = false;
  ProjectOptions project;
  std::string launch;  // a shell line, or a program
  std::vector<std::string> subsets;
  ContainerOptions container;
  stress::Limits limits;
  std::string device = "gpu";
  std::optional<std::string> hosts;  // a file or names; nothing: use Slurm, or --local
  std::optional<int> slots;
  std::string report_dir, junit, worker_folder, judge, notify;
  std::string inject;  // hidden: what goes wrong on purpose
};

/// Adds the options to the command; the values live as long as the returned pointer.
std::shared_ptr<StressOptions> add_stress_options(CLI::App& command);

/// The worker's arguments for these options, without --report-dir. Throws Error(usage): no work is left, or
/// options contradict each other.
std::vector<std::string> worker_words(const StressOptions& options);

}  // namespace rv::cli
