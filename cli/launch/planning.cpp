#include "cli/launch/planning.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>

#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/views/delayed_note.h"
#include "monitor/jobs/observed_wait.h"
#include "planner/make_plan.h"
#include "planner/replay/affordable_trials.h"
#include "slurm/site_history.h"

namespace rv::cli {

namespace {

planner::Cluster without(planner::Cluster cluster, const std::vector<std::string>& avoided) {
  std::erase_if(cluster.partitions, [&](const auto& partition) { return contains(avoided, partition.name); });
  for (planner::Node& node : cluster.nodes) {
    std::erase_if(node.partitions, [&](const auto& name) { return contains(avoided, name); });
  }
  return cluster;
}

std::vector<std::string> avoided_partitions(const planner::Cluster& cluster, const Settings& settings,
                                            const planner::Request& request) {
  std::vector<std::string> avoided;
  for (const std::string& name : settings.avoid_partitions) {
    // A partition that was asked for by name is not avoided.
    if (cluster.find_partition(name) != nullptr && !contains(request.partitions, name)) avoided.push_back(name);
  }
  return avoided;
}

}  // namespace

KnownCluster cluster_with_note(const RequestOptions& options, const Invocation& invocation) {
  const bool slurm = options.cluster_file.empty();
  const auto begin = std::chrono::steady_clock::now();
  KnownCluster known;
  known.cluster = [&] {
    const DelayedNote note("rv: querying the state of the cluster …",
                           slurm && invocation.terminal.err && !invocation.json);
    return cluster_for(options, invocation.settings, &known.history);
  }();
  const planner::Cluster& cluster = known.cluster;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  spdlog::debug("cluster from {}: {}, {}, {} in {} ms", slurm ? "Slurm" : options.cluster_file,
                counted(static_cast<long long>(cluster.nodes.size()), "node"),
                counted(static_cast<long long>(cluster.partitions.size()), "partition"),
                counted(static_cast<long long>(cluster.jobs.size()), "job"), took.count());
  for (const auto& [question, trouble] : cluster.unanswered)
    spdlog::debug("Slurm did not report {}: {}", question, trouble);
  return known;
}

planner::Cluster cluster_within_settings(const planner::Cluster& cluster, const Settings& settings,
                                         const planner::Request& request) {
  return without(cluster, avoided_partitions(cluster, settings, request));
}

planner::Plan plan_within_settings(const planner::Cluster& cluster, const Settings& settings,
                                   const planner::Request& request, const planner::ForecastInputs& asked) {
  planner::ForecastInputs forecast_inputs = asked;
  forecast_inputs.goal.preferred_partitions = settings.prefer_partitions;
  const std::vector<std::string> avoided = avoided_partitions(cluster, settings, request);
  if (avoided.empty()) return planner::make_plan(cluster, settings.catalogue, request, forecast_inputs);

  planner::Plan plan = planner::make_plan(without(cluster, avoided), settings.catalogue, request, forecast_inputs);
  std::vector<planner::Rejection> dropped;
  for (const planner::Strategy& strategy : planner::make_plan(cluster, settings.catalogue, request).strategies) {
    for (const std::string& partition : strategy.partitions) {
      if (!contains(avoided, partition)) continue;
      planner::Rejection rejection{strategy.gpu.name,
                                   fmt::format("partition {} is avoided by your settings", partition)};
      const bool said = std::any_of(dropped.begin(), dropped.end(), [&](const planner::Rejection& other) {
        return other.gpu_type == rejection.gpu_type && other.reason == rejection.reason;
      });
      if (!said) dropped.push_back(std::move(rejection));
    }
  }
  plan.rejected.insert(plan.rejected.end(), dropped.begin(), dropped.end());
  return plan;
}

namespace {

slurm::SiteHistory read_history(const planner::Cluster& cluster, const Settings& settings) {
  const std::string folder = settings.home + "/history";
  auto site_history = slurm::read_site_history(folder, cluster.user.text());
  spdlog::debug("history: {} finished jobs", site_history.history ? site_history.history->jobs.size() : 0);
  if (cluster.controller.accounting) slurm::refresh_site_history_in_background(folder, cluster.user.text());
  return site_history;
}

/// How long the user's runs took to start that were predicted to start at once.
std::vector<std::chrono::seconds> launches_seen(const Settings& settings) {
  std::vector<std::chrono::seconds> launches;
  const auto lines = os::read_file(monitor::waits_file(settings.home));
  for (const auto& one : monitor::parse_observed_waits(lines.value_or(""))) {
    if (one.basis == planner::free_now_basis) launches.push_back(one.real);
  }
  return launches;
}

/// Known properties of the site enter the replay.
void weigh_in(planner::ForecastInputs& forecast_inputs, const slurm::SiteHistory& site_history,
              const planner::Cluster& cluster, const planner::Request& request) {
  if (site_history.history) forecast_inputs.finished = site_history.history->jobs;
  if (!site_history.priority) return;
  const std::string account = charged_account(request, cluster);
  const std::string partition = request.partitions.size() == 1 ? request.partitions.front() : "";
  forecast_inputs.priority =
      slurm::priority_when_submitted(*site_history.priority, account, partition, cluster.controller.priority_weights);
  if (forecast_inputs.priority) forecast_inputs.priority_source = "sprio and sshare";
}

/// Plans again without the nodes on which runs failed, if there are such nodes.
void avoid_nodes(Planned& planned, const Settings& settings) {
  const auto records = known_node_records(settings, planned.cluster.controller.cluster_name.text());
  planned.avoided = nodes_to_avoid(records, planned.cluster, planned.request);
  if (planned.avoided.nodes.empty() || planned.plan.strategies.empty()) return;
  auto request = planned.request;
  for (const auto& record : planned.avoided.nodes) request.exclude.push_back(record.node);
  auto plan = plan_within_settings(planned.cluster, settings, request, planned.forecast_inputs);
  planned.avoided.needed = plan.strategies.empty();
  if (planned.avoided.needed) return;
  planned.avoided.later = later_start(plan, planned.plan);
  planned.plan = std::move(plan);
  planned.request = std::move(request);
}

}  // namespace

std::string charged_account(const planner::Request& request, const planner::Cluster& cluster) {
  if (!request.account.empty()) return request.account.text();
  for (const auto& association : cluster.associations) {
    if (association.is_default_account) return association.account.text();
  }
  return {};
}

std::optional<Balance> balance_for(const Planned& planned, const RequestOptions& options,
                                   const Invocation& invocation) {
  if (!invocation.settings.balance || !options.cluster_file.empty()) return std::nullopt;
  return ask_balance(*invocation.settings.balance, charged_account(planned.request, planned.cluster));
}

planner::ForecastInputs site_inputs(const planner::Cluster& cluster, const planner::Request& request,
                                    const Settings& settings) {
  auto inputs = to_forecast_inputs(RequestOptions());
  weigh_in(inputs, read_history(cluster, settings), cluster, request);
  inputs.launch_waits = launches_seen(settings);
  inputs.trials = planner::affordable_trials(cluster);
  return inputs;
}

Planned plan_for(const RequestOptions& options, const Invocation& invocation, std::optional<KnownCluster> known) {
  Planned planned;
  planned.request = to_request(options, invocation.settings);
  planned.forecast_inputs = to_forecast_inputs(options);
  if (!known) known = cluster_with_note(options, invocation);
  planned.cluster = std::move(known->cluster);
  planned.forecast_inputs.finished = std::move(known->history);
  // A saved cluster is planned for as it was, without what is known today.
  if (options.cluster_file.empty()) {
    planned.site_history = read_history(planned.cluster, invocation.settings);
    weigh_in(planned.forecast_inputs, planned.site_history, planned.cluster, planned.request);
    planned.forecast_inputs.launch_waits = launches_seen(invocation.settings);
  }
  planned.forecast_inputs.trials = options.trials.value_or(planner::affordable_trials(planned.cluster));
  const auto begin = std::chrono::steady_clock::now();
  planned.plan = plan_within_settings(planned.cluster, invocation.settings, planned.request, planned.forecast_inputs);
  if (options.cluster_file.empty() && options.avoids_faulty_nodes) avoid_nodes(planned, invocation.settings);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  spdlog::debug("{} replays of {} jobs, {} finished jobs known, {} ms", planned.forecast_inputs.trials,
                planned.cluster.jobs.size(), planned.forecast_inputs.finished.size(), took.count());
  spdlog::debug("{} strategies, {} rejected", planned.plan.strategies.size(), planned.plan.rejected.size());
  return planned;
}

}  // namespace rv::cli
