// Parses the answers to the queries of Gateway::read_cluster. A line that can't be parsed is skipped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Reads `scontrol -o -d show node`.
std::vector<planner::Node> parse_nodes(std::string_view text);

/// Reads `scontrol -o show partition`.
std::vector<planner::Partition> parse_partitions(std::string_view text);

/// Reads `scontrol -o show reservation`; empty for "No reservations in the system".
std::vector<planner::Reservation> parse_reservations(std::string_view text);

/// Reads the number of free licences, by name, from `scontrol -o show licenses`.
std::map<std::string, std::int64_t> parse_free_licenses(std::string_view text);

/// Reads `scontrol show config`.
planner::ControllerSettings parse_config(std::string_view text);

/// The identity of the controller that answered.
struct ControllerIdentity {
  planner::DatabaseName cluster_name;           // empty: unknown
  std::optional<planner::TimePoint> boot_time;  // when it was started
  std::chrono::seconds min_job_age{0};          // it keeps a job for this time after the job's end
};

/// Reads `scontrol show config`.
ControllerIdentity parse_identity(std::string_view text);

/// Reads the name of the cluster's federation from `scontrol show federation`; empty if it has none.
std::string parse_federation(std::string_view text);

/// Returns the reason on one line, with a readable time: "bad fan [root@1795740746]" becomes "bad fan [root@2026-11-27
/// 00:52:26 UTC]". A reason without a time, or with one in another form, is not changed.
std::string parse_node_reason(std::string_view text);

/// Reads a node's state: "MIXED+DRAIN", "DOWN*+DRAIN", "IDLE~".
planner::NodeState parse_node_state(std::string_view text);

}  // namespace rv::slurm
