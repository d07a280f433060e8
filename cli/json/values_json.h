// The planner's values as JSON and back: the snapshot file, --json output, the run folder's records.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

/// Snapshot file, format "rv-cluster", version 1 (docs/cluster-file.md). from_ throws Error naming the file's fault.
inline constexpr int cluster_format_version = 1;
nlohmann::ordered_json cluster_to_json(const planner::Cluster& cluster);
planner::Cluster cluster_from_json(const nlohmann::json& document);

/// The finished jobs that a snapshot file may hold under "history"; none where it has no such key.
std::vector<planner::FinishedJob> history_from_json(const nlohmann::json& document);

nlohmann::ordered_json request_to_json(const planner::Request& request);

/// The request of a document that request_to_json() wrote; further options of sbatch are not in it. Throws nlohmann's
/// exceptions for another document.
planner::Request request_from_json(const nlohmann::json& document);

/// One element of "strategies": rank, gpu_type, gpus, nodes, gpus_per_node, partition, kind, time_limit_s,
/// cpus_per_node, mem_per_node_mb, wait {p10_s, p50_s, p90_s, basis}, finish_s, soon_limit_s, cost_su; unknown figures
/// are null.
nlohmann::ordered_json strategy_to_json(const planner::Strategy& strategy, int rank);

/// JSON text with a final newline; bytes that are not valid UTF-8 become U+FFFD, and nothing is thrown. indent -1: one
/// line.
std::string json_text(const nlohmann::ordered_json& document, int indent = 2);

}  // namespace rv::cli
