#include "cli/launch/preview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/launch/fit_launcher.h"
#include "cli/launch/probe.h"
#include "cli/launch/start_run.h"
#include "cli/options/passed_option.h"
#include "cli/views/plan_view.h"

namespace rv::cli {

std::vector<std::size_t> Preview::races(const planner::Plan& plan) const {
  return race_numbers(plan, width, order.job.chain.has_value());
}

std::vector<planner::Strategy> Preview::racing() const {
  return strategies_to_race(planned.plan, width, order.job);
}

std::string Preview::script(std::size_t place) const {
  const auto racing = races(planned.plan);
  const auto found = std::find(racing.begin(), racing.end(), place);
  const auto candidate = (found == racing.end() ? static_cast<std::ptrdiff_t>(place) : found - racing.begin()) + 1;
  return order_script(order.job, inputs, planned.plan.strategies[place], static_cast<int>(candidate),
                      invocation.settings, run);
}

std::optional<ProjectNeeds> needs_of(const LaunchOptions& options, const WorkOrder& order,
                                     const Invocation& invocation) {
  // An image has what the command needs.
  // A batch script sets up its own.
  if (options.project.no_deps || order.job.batch || !options.container.image.empty()) return std::nullopt;
  return project_needs(order.job.typed, invocation);
}

namespace {

/// Slurm refuses such an array when it is submitted (MaxArraySize in slurm.conf(5): one more than the largest index).
void check_array(const templates::JobSpec& job, const planner::Cluster& cluster) {
  const auto& size = cluster.controller.max_array_size;
  if (!job.array || !size || job.array->elements.empty() || job.array->elements.back() < *size) return;
  throw Error(fmt::format("--array: {} is beyond the largest index of this cluster, {} (MaxArraySize)",
                          job.array->elements.back(), *size - 1),
              "use smaller indices and compute the rest in the command, or rv map, which has no such limit",
              ExitCode::usage);
}

}  // namespace

Preview preview_of(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                   std::optional<ProjectNeeds> needs, std::optional<KnownCluster> known) {
  const auto& settings = invocation.settings;
  Preview preview{.options = options,
                  .order = order,
                  .invocation = invocation,
                  .needs = std::move(needs),
                  .planned = plan_for(*options.request, invocation, std::move(known)),
                  .width = fanout(*options.request, settings),
                  .inputs = {},
                  .run = {},
                  .launcher_note = {},
                  .sooner = {}};
  auto& job = preview.order.job;
  check_array(job, preview.planned.cluster);
  preview.inputs = resolve_inputs(job, settings);
  if (job.chain) job.chain->total = preview.planned.request.time;
  if (preview.needs) add_project(job, preview.inputs, *preview.needs);
  preview.run = preview_run(preview.planned.request, job, settings);
  preview.launcher_note = fit_launcher(preview.planned.plan, job);
  return preview;
}

void say_launcher_note(const Preview& preview) {
  if (preview.invocation.json || !preview.launcher_note) return;
  fmt::print(stderr, "rv: note: {}\n", one_line(*preview.launcher_note));
}

void probe(Preview& preview) {
  // The controller has fewer data than rv about the run to wait for: it is only asked when there would be GPUs.
  ResolvedInputs now = preview.inputs;
  now.predecessor.reset();
  const auto& settings = preview.invocation.settings;
  probe_controller(
      preview.planned, *preview.options.request, settings,
      [&](const planner::Plan& plan) { return preview.races(plan); },
      [&](const planner::Strategy& strategy, int candidate) {
        return order_script(preview.order.job, now, strategy, candidate, settings, preview.run);
      });
}

void add_what_ifs(Preview& preview) {
  const auto& planned = preview.planned;
  const auto& settings = preview.invocation.settings;
  const auto* asked = planner::soonest_whole(planned.plan);
  if (asked == nullptr) return;
  preview.sooner = planner::what_ifs(cluster_within_settings(planned.cluster, settings, planned.request),
                                     settings.catalogue, planned.request, *asked, planned.forecast_inputs);
  std::erase_if(preview.sooner, [&](const auto& one) { return !fits_launcher(one.strategy, preview.order.job); });
}

std::vector<std::string> sooner_in_words(const Preview& preview) {
  std::vector<std::string> sentences;
  const auto* asked = planner::soonest_whole(preview.planned.plan);
  for (const auto& one : preview.sooner) sentences.push_back(planner::in_words(one, *asked));
  return sentences;
}

nlohmann::ordered_json preview_json(const Preview& preview) {
  const auto& plan = preview.planned.plan;
  auto document = plan_json(plan, preview.planned.request, [&](const planner::Strategy& /*same*/, int rank) {
    return preview.script(static_cast<std::size_t>(rank) - 1);
  });
  const auto* asked = planner::soonest_whole(plan);
  document["not_counted"] = not_counted(preview.order.job.sbatch);
  document["avoided_nodes"] = to_json(preview.planned.avoided);
  document["what_if"] = asked == nullptr ? nlohmann::ordered_json::array() : what_if_json(preview.sooner, *asked);
  return document;
}

std::optional<Balance> balance_after(const Preview& preview) {
  return balance_for(preview.planned, *preview.options.request, preview.invocation);
}

void print_preview(const Preview& preview) {
  const auto& planned = preview.planned;
  const auto& terminal = preview.invocation.terminal;
  const auto balance = balance_after(preview);
  fmt::print("{}", plan_table(planned.plan, planned.request, terminal));
  const bool only_in_segments = !planned.plan.strategies.empty() && planner::soonest_whole(planned.plan) == nullptr;
  if (only_in_segments && !planned.request.checkpoint_only) {
    fmt::print("\nOnly in segments: add --checkpoint, if the command saves its state and can go on from it.\n");
  }
  if (const auto left_out = not_counted(preview.order.job.sbatch); !left_out.empty()) {
    const auto line = fmt::format("Not counted in the waits: {}", fmt::join(left_out, ", "));
    fmt::print("\n{}\n", wrapped(one_line(line), terminal.width, 2));
  }
  if (const auto avoided = in_words(planned.avoided); !avoided.empty()) {
    fmt::print("\n{}\n", wrapped(avoided, terminal.width, 2));
  }
  if (const auto sooner = sooner_in_words(preview); !sooner.empty()) {
    fmt::print("\n{}", sentences_text("Starts sooner:", sooner, terminal));
  }
  if (balance) fmt::print("\n{}", balance_text(*balance, planned.plan, terminal.width));
}

}  // namespace rv::cli
