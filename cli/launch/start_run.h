// A plan becomes a race: the run folder is written and the submissions are set going.
#pragma once

#include <string>
#include <vector>

#include "cli/launch/order_script.h"
#include "cli/launch/work_order.h"
#include "cli/settings/settings.h"
#include "monitor/run/run_folder.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

/// Their numbers in a plan: `fanout` of those in segments, or of the others (planner/strategies/fan_out.h), without
/// those that the controller has refused.
std::vector<std::size_t> race_numbers(const planner::Plan& plan, int fanout, bool segments);

/// The strategies that race: `fanout` of the plan (planner/strategies/fan_out.h). Those in segments race among
/// themselves, and only for a command with --checkpoint.
std::vector<planner::Strategy> strategies_to_race(const planner::Plan& plan, int fanout, const templates::JobSpec& job);

/// "4× A40 on gpu-a40", "2×2 A100 80 GB on gpu-a100-80".
std::string summary(const planner::Strategy& strategy);

/// Writes folder, scripts and records, and submits nothing. Throws Error when the folder can't be made, and
/// Error(interrupted); then there is no folder.
monitor::RunFolder write_run(const planner::Cluster& cluster, const planner::Request& request,
                             const planner::Plan& plan, const Settings& settings, const WorkOrder& order,
                             const ResolvedInputs& inputs, int fanout);

/// Does the same, then submits in a separate process. Returns at once. From the folder on Ctrl-C is caught
/// (base/os/interrupt.h): later ones are handled by the code that follows the run. Throws Error when the folder can't
/// be made, and Error(interrupted); then nothing was submitted.
monitor::RunFolder start_run(const planner::Cluster& cluster, const planner::Request& request,
                             const planner::Plan& plan, const Settings& settings, const WorkOrder& order,
                             const ResolvedInputs& inputs, int fanout);

}  // namespace rv::cli
