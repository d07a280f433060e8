#include "cli/launch/preview.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/launch/fit_launcher.h"
#include "cli/launch/probe.h"
#include "cli/launch/start_run.h"
#include "cli/views/plan_view.h"

namespace rv::cli {

std::vector<std::size_t> Preview::races(const planner::Plan& plan) const {
  return race_numbers(plan, width, order.checkpoint != nullptr);
}

std::vector<planner::Strategy> Preview::racing() const {
  return strategies_to_race(planned.plan, width, order);
}

std::string Preview::script(std::size_t place) const {
  const auto racing = races(planned.plan);
  const auto found = std::find(racing.begin(), racing.end(), place);
  const auto candidate = (found == racing.end() ? static_cast<std::ptrdiff_t>(place) : found - racing.begin()) + 1;
  return order_script(order, grounds, planned.plan.strategies[place], static_cast<int>(candidate), invocation.settings,
                      run);
}

std::optional<ProjectNeeds> needs_of(const LaunchOptions& options, const WorkOrder& order,
                                     const Invocation& invocation) {
  // An image has what the command needs.
  if (options.project.no_deps || !options.container.image.empty()) return std::nullopt;
  return project_needs(order.typed, invocation);
}

Preview preview_of(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                   std::optional<ProjectNeeds> needs, std::optional<KnownCluster> known) {
  const auto& settings = invocation.settings;
  auto planned = plan_for(*options.request, invocation, std::move(known));
  const int width = fanout(*options.request, settings);
  OrderGrounds grounds = grounds_of(order, settings);
  if (needs) add_project(grounds, *needs);
  auto run = preview_run(planned.request, order, settings);
  auto note = fit_launcher(planned.plan, order);
  return {options,        order,          invocation, std::move(needs), std::move(planned), width, std::move(grounds),
          std::move(run), std::move(note)};
}

void say_launcher_note(const Preview& preview) {
  if (preview.invocation.json || !preview.launcher_note) return;
  fmt::print(stderr, "rv: note: {}\n", one_line(*preview.launcher_note));
}

void probe(Preview& preview) {
  // Of the run to wait for the controller knows less than rv: it is asked when there would be GPUs.
  OrderGrounds now = preview.grounds;
  now.following.reset();
  const auto& settings = preview.invocation.settings;
  probe_controller(
      preview.planned, *preview.options.request, settings,
      [&](const planner::Plan& plan) { return preview.races(plan); },
      [&](const planner::Strategy& strategy, int candidate) {
        return order_script(preview.order, now, strategy, candidate, settings, preview.run);
      });
}

nlohmann::ordered_json preview_json(const Preview& preview) {
  return plan_json(preview.planned.plan, preview.planned.request, [&](const planner::Strategy& /*same*/, int rank) {
    return preview.script(static_cast<std::size_t>(rank) - 1);
  });
}

std::optional<Balance> balance_after(const Preview& preview) {
  return balance_for(preview.planned, *preview.options.request, preview.invocation);
}

void print_preview(const Preview& preview) {
  const auto& planned = preview.planned;
  const auto& terminal = preview.invocation.terminal;
  const auto balance = balance_after(preview);
  fmt::print("{}", plan_table(planned.plan, planned.request, terminal));
  if (balance) fmt::print("\n{}", balance_text(*balance, planned.plan, terminal.width));
}

}  // namespace rv::cli
