// A plan becomes a race: the run folder is written and the submissions are set going.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/after_option.h"
#include "cli/launch/array_option.h"
#include "cli/options/checkpoint_options.h"
#include "monitor/run/run_folder.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "settings/settings.h"
#include "templates/job_script.h"

namespace rv::cli {

/// What shall happen on the GPUs.
struct WorkOrder {
  std::vector<std::string> typed;    // the user's words, for people
  std::vector<std::string> command;  // argv; empty: hold the allocation
  int processes_per_node = 1;
  std::vector<std::string> outputs;
  std::shared_ptr<const CheckpointOptions> checkpoint;  // set: the command saves its state and runs in segments
  ArrayOption array;                                    // the command once for each element
  std::optional<AfterOption> after;                     // the run to wait for
  bool requeue = false;
  std::string notify_folder;  // whom to tell of the run's events; empty: nobody
  std::string notify_on;      // of which events; empty: as each target says

  std::vector<std::string> container;  // options of srun
  /// Writes what the command needs into the run's folder before anything is submitted.
  std::function<void(const monitor::RunFolder&)> prepare;

  bool hold() const { return command.empty(); }
};

/// Their numbers in a plan: `fanout` of those in segments, or of the others (planner/strategies/fan_out.h), without
/// those that the controller has refused.
std::vector<std::size_t> race_numbers(const planner::Plan& plan, int fanout, bool segments);

/// The strategies that race: `fanout` of the plan (planner/strategies/fan_out.h). Those in segments race among
/// themselves, and only for a command that was said to save its state.
std::vector<planner::Strategy> racers(const planner::Plan& plan, int fanout, const WorkOrder& order);

/// "4× A40 on gpu-a40", "2×2 A100 80 GB on gpu-a100-80".
std::string summary(const planner::Strategy& strategy);

/// The request's name, else the script's or program's, else "up".
std::string run_name(const planner::Request& request, const WorkOrder& order);

/// What the script of strategy number `candidate` gets, in a run folder. Also used to show a script without a run.
templates::JobFacts job_facts(const Settings& settings, const WorkOrder& order, const std::string& run_folder,
                              const std::string& run_id, const std::string& name, int candidate);

/// Writes folder, scripts and records, then submits in a process of its own. Returns at once. From the folder on Ctrl-C
/// is caught (base/os/interrupt.h): what comes later is for whoever follows the run. Throws Error when the folder can't
/// be made, and Error(interrupted); then nothing was submitted.
monitor::RunFolder start_run(const planner::Cluster& cluster, const planner::Request& request,
                             const planner::Plan& plan, const Settings& settings, const WorkOrder& order, int fanout);

}  // namespace rv::cli
