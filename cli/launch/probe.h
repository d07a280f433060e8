// --probe: the controller's predictions for a plan's first strategies, shown beside rv's.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/launch/planning.h"
#include "planner/cluster/strategy.h"
#include "slurm/call_budget.h"

namespace rv::cli {

/// How the controller is queried. The caller passes values and functions, so that tests need neither a controller nor a
/// real clock.
struct Prober {
  std::function<planner::TestOnlyResult(const planner::Strategy& strategy, int rank)> ask;
  slurm::CallBudget budget;
  std::function<void(std::chrono::milliseconds)> pause;
  std::chrono::milliseconds patience{20'000};  // spent in pauses, all together
};

/// Numbers of the strategies that would race, given what has been refused so far.
using Racing = std::function<std::vector<std::size_t>(const planner::Plan& plan)>;

/// Asks about those that would race, then about the plan's first, until eight were not refused. Ends early if two
/// queries in a row get no answer, or if the budget would require too long a pause. Then ranks refused strategies last.
void probe(planner::Plan& plan, const Racing& racing, Prober& prober);

/// The bucket as a file keeps it between two commands: "<tokens> <milliseconds since 1970>". A full one where the text
/// is something else.
void resume_budget(slurm::CallBudget& budget, std::string_view text,
                   std::chrono::sys_time<std::chrono::milliseconds> now);
std::string budget_text(const slurm::CallBudget& budget, std::chrono::sys_time<std::chrono::milliseconds> now);

/// The same with the real controller and clock, and with the bucket that the last probing left in the settings' home;
/// `script` renders one strategy. Throws Error(usage) for a plan on a saved cluster.
void probe_controller(Planned& planned, const RequestOptions& options, const Settings& settings, const Racing& racing,
                      const std::function<std::string(const planner::Strategy&, int rank)>& script);

}  // namespace rv::cli
