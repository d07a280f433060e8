// The answers to read_cluster's questions → values. A line that makes no sense is passed over, never guessed at.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// `scontrol -o -d show node`
std::vector<planner::Node> parse_nodes(std::string_view text);

/// `scontrol -o show partition`
std::vector<planner::Partition> parse_partitions(std::string_view text);

/// `scontrol -o show reservation`; none for "No reservations in the system".
std::vector<planner::Reservation> parse_reservations(std::string_view text);

/// `scontrol -o show licenses`: how many of each are free, by name.
std::map<std::string, std::int64_t> parse_free_licenses(std::string_view text);

/// `scontrol show config`
planner::ControllerSettings parse_config(std::string_view text);

/// Which controller it is that answers.
struct ControllerIdentity {
  planner::DatabaseName cluster_name;           // empty: not known
  std::optional<planner::TimePoint> boot_time;  // since when it runs
  std::chrono::seconds min_job_age{0};          // it keeps a job this long after the job's end
};

/// `scontrol show config`
ControllerIdentity parse_identity(std::string_view text);

/// `scontrol show federation`: the name of the federation that the cluster is in; empty: none.
std::string parse_federation(std::string_view text);

/// "bad fan [root@1795740746]" as "bad fan [root@2026-11-27 00:52:26 UTC]", on one line. Without a stamp, or with one
/// in another form, as it is.
std::string parse_node_reason(std::string_view text);

/// "MIXED+DRAIN", "DOWN*+DRAIN", "IDLE~"
planner::NodeState parse_node_state(std::string_view text);

}  // namespace rv::slurm
