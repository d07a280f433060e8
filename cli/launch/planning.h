// From options to a plan: plan, render, up and run all use these functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/balance.h"
#include "cli/nodes/avoided_nodes.h"
#include "cli/options/invocation.h"
#include "cli/options/request_options.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "slurm/site_history.h"

namespace rv::cli {

/// A cluster as it was read, avoided partitions included.
struct KnownCluster {
  planner::Cluster cluster;
  std::vector<planner::FinishedJob> history;  // of a saved one
};

struct Planned {
  planner::Request request;  // leaves out the avoided nodes too
  planner::Cluster cluster;  // as it was read, avoided partitions included
  planner::ForecastInputs forecast_inputs;
  planner::Plan plan;
  AvoidedNodes avoided;
  slurm::SiteHistory site_history;  // nothing for a saved cluster
};

/// Reads the cluster (with a line on stderr when that takes long on a terminal) and plans. What the settings avoid is
/// in the plan's rejections. `known`: the cluster, where it has been read already.
Planned plan_for(const RequestOptions& options, const Invocation& invocation,
                 std::optional<KnownCluster> known = std::nullopt);

/// The account that the work is charged to: the request's, else the user's default; empty if accounting does not report
/// it.
std::string charged_account(const planner::Request& request, const planner::Cluster& cluster);

/// The balance of that account, if the settings have a command for it and the plan is not for a saved cluster.
std::optional<Balance> balance_for(const Planned& planned, const RequestOptions& options, const Invocation& invocation);

/// The inputs of a replay beyond the snapshot, for a request without further options: finished jobs, the
/// priority of a job submitted now, the launches of earlier runs. Renews the history in the background.
planner::ForecastInputs site_inputs(const planner::Cluster& cluster, const planner::Request& request,
                                    const Settings& settings);

/// The same on values.
planner::Plan plan_within_settings(const planner::Cluster& cluster, const Settings& settings,
                                   const planner::Request& request, const planner::ForecastInputs& asked);

/// The cluster from --cluster, or from Slurm with a note on stderr when a terminal's user has to wait.
KnownCluster cluster_with_note(const RequestOptions& options, const Invocation& invocation);

/// The cluster without the partitions that the settings avoid and the request does not name.
planner::Cluster cluster_within_settings(const planner::Cluster& cluster, const Settings& settings,
                                         const planner::Request& request);

}  // namespace rv::cli
