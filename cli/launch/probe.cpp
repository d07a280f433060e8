#include "cli/launch/probe.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "slurm/gateway.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::cli {
namespace {

using Outcome = planner::TestOnlyResult::Outcome;
using std::chrono::milliseconds;

constexpr std::ptrdiff_t few = 8;
// One answer may be lost; after a second one the controller has other things to do.
constexpr int most_silent = 2;
// sbatch itself gives up after ten seconds (MessageTimeout) on most sites.
constexpr milliseconds answer_deadline{12'000};
// Controller calls that a plan has made before (slurm/read_cluster.cpp).
constexpr int calls_of_a_plan = 7;

std::optional<std::size_t> next_to_ask(const planner::Plan& plan, const Racing& racing) {
  for (const std::size_t number : racing(plan)) {
    if (!plan.strategies[number].controller) return number;
  }
  const auto answered = std::count_if(plan.strategies.begin(), plan.strategies.end(),
                                      [](const auto& one) { return one.controller && !refused_by_controller(one); });
  if (answered >= few) return std::nullopt;
  const auto unasked =
      std::find_if(plan.strategies.begin(), plan.strategies.end(), [](const auto& one) { return !one.controller; });
  if (unasked == plan.strategies.end()) return std::nullopt;
  return static_cast<std::size_t>(unasked - plan.strategies.begin());
}

}  // namespace

void probe(planner::Plan& plan, const Racing& racing, Prober& prober) {
  int silent = 0;
  while (silent < most_silent) {
    const auto number = next_to_ask(plan, racing);
    if (!number) break;
    const milliseconds wait = prober.budget.wait();
    if (wait > prober.patience) break;
    if (wait > milliseconds(0)) prober.pause(wait);
    prober.patience -= wait;
    planner::Strategy& strategy = plan.strategies[*number];
    prober.budget.begin();
    strategy.controller = prober.ask(strategy, static_cast<int>(*number) + 1);
    prober.budget.end();
    const bool answered = strategy.controller->outcome != Outcome::unknown ||
                          slurm::of_nodes_that_may_return(strategy.controller->message);
    silent = answered ? 0 : silent + 1;
  }
  std::stable_partition(plan.strategies.begin(), plan.strategies.end(),
                        [](const auto& one) { return !refused_by_controller(one); });
}

void resume_budget(slurm::CallBudget& budget, std::string_view text, std::chrono::sys_time<milliseconds> now) {
  std::istringstream words{std::string(text)};
  double tokens = 0;
  std::int64_t then = 0;
  if (words >> tokens >> then) budget.resume(tokens, now.time_since_epoch() - milliseconds(then));
}

std::string budget_text(const slurm::CallBudget& budget, std::chrono::sys_time<milliseconds> now) {
  return fmt::format("{:.1f} {}\n", budget.tokens(), now.time_since_epoch().count());
}

void probe_controller(Planned& planned, const RequestOptions& options, const Settings& settings, const Racing& racing,
                      const std::function<std::string(const planner::Strategy&, int rank)>& script) {
  if (!options.cluster_file.empty()) {
    throw Error("--probe asks the controller, and --cluster plans on a saved file", "remove one of them",
                ExitCode::usage);
  }
  slurm::Gateway gateway(answer_deadline);
  Prober prober{
      .ask = [&](const planner::Strategy& strategy, int rank) { return gateway.would_start(script(strategy, rank)); },
      .budget = slurm::CallBudget([] { return std::chrono::steady_clock::now(); }),
      .pause = [](milliseconds span) { std::this_thread::sleep_for(span); }};
  const std::string file = settings.home + "/cache/calls";
  const auto now = [] { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); };
  resume_budget(prober.budget, os::read_file(file).value_or(""), now());
  prober.budget.spend(calls_of_a_plan);
  probe(planned.plan, racing, prober);
  try {
    os::make_folder(settings.home + "/cache");
    os::write_file(file, budget_text(prober.budget, now()));
  } catch (const Error& fault) {
    spdlog::debug("the budget of calls is not kept: {}", fault.what());  // which costs the plan nothing
  }
  spdlog::debug("{} strategies probed", gateway.commands_run());
}

}  // namespace rv::cli
