#include "cli/waiting/enough_wait.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/json/values_json.h"
#include "cli/launch/planning.h"
#include "slurm/parse/field.h"

namespace rv::cli {
namespace {

constexpr auto accounting_patience = std::chrono::seconds(5);

std::optional<nlohmann::json> document(const monitor::KnownRun& run, const char* name) {
  const auto path = run.folder.file(name);
  const auto text = os::read_file(path);
  if (!text) return std::nullopt;
  return parse_json<nlohmann::json>(*text, path);
}

/// The predicted median of the strategy that the winner is.
std::optional<std::chrono::seconds> median_wait(const planner::Cluster& cluster, const Settings& settings,
                                                const planner::Request& request, const planner::ForecastInputs& inputs,
                                                const monitor::Candidate& winner) {
  const auto plan = plan_within_settings(cluster, settings, request, inputs);
  for (const auto& strategy : plan.strategies) {
    if (strategy.nodes == winner.nodes && strategy.gpu.name == winner.gpu_type) return strategy.wait.p50;
  }
  return std::nullopt;
}

std::optional<EnoughWait> replay(const monitor::KnownRun& run, const monitor::Candidate& winner, const Enough& enough,
                                 const Settings& settings) {
  const auto snapshot = document(run, "cluster.json");
  const auto asked = document(run, "request.json");
  if (!snapshot || !asked) return std::nullopt;
  const auto cluster = cluster_from_json(*snapshot);
  auto request = request_from_json(*asked);
  if (winner.gpus > 0) request.types = {winner.gpu_type};
  request.partitions = slurm::list_of(winner.partition);
  request.nodes = winner.nodes;
  auto inputs = site_inputs(cluster, request, settings);
  std::erase_if(inputs.finished, [&](const planner::FinishedJob& job) { return job.end > cluster.taken_at; });
  auto less = request;
  if (enough.memory) less.memory = enough.memory;
  if (enough.time) less.time = *enough.time;
  const auto as_asked = median_wait(cluster, settings, request, inputs, winner);
  const auto with_less = median_wait(cluster, settings, less, inputs, winner);
  if (!as_asked || !with_less) return std::nullopt;
  return EnoughWait{*as_asked, *with_less};
}

}  // namespace

std::optional<EnoughWait> enough_wait(const monitor::KnownRun& run, const monitor::RunView& view, const Enough& enough,
                                      const Invocation& invocation) {
  const auto* winner = winner_of(view);
  if (winner == nullptr || run.record.job.chain || run.record.job.array) return std::nullopt;
  try {
    return replay(run, winner->candidate, enough, invocation.settings);
  } catch (const nlohmann::json::exception& fault) {
    spdlog::debug("{}: {}", run.folder.path(), fault.what());
  } catch (const Error& fault) {  // no such partition or type in the settings any more
    spdlog::debug("{}", fault.what());
  }
  return std::nullopt;
}

std::optional<PastUse> past_use(const monitor::KnownRun& run, const monitor::RunView& view,
                                const Invocation& invocation) {
  if (!monitor::is_final(view.state) || !view.started) return std::nullopt;
  slurm::Gateway gateway(accounting_patience);
  PastUse past{run_use(run.folder, monitor::read_facts(run.folder), gateway), std::nullopt};
  past.enough = enough_for(past.use.attempts, run.record.job);
  if (past.enough) past.enough->wait = enough_wait(run, view, *past.enough, invocation);
  return past;
}

}  // namespace rv::cli
