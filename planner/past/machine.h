// The machine that a log comes from: its nodes and partitions, without jobs.
#pragma once

#include <optional>
#include <string>

#include "planner/cluster/cluster.h"
#include "planner/past/job_log.h"

namespace rv::planner {

/// The most nodes that a machine may have.
inline constexpr int most_machine_nodes = 50'000;

/// The number of nodes, and the GPUs of each; 0 GPUs: not stated.
struct MachineSize {
  int nodes = 0;
  int gpus_per_node = 0;
};

struct Machine {
  Cluster cluster;          // idle; a node of a machine without GPUs has one CPU, which stands for the whole node
  std::string description;  // "560 nodes, the most used at once"
};

/// Estimates the machine from a log: for each GPU type as many nodes as were in use at once, unless `size` or the log
/// states the number. A partition has the nodes of those types that its jobs used. Throws Error for more than
/// most_machine_nodes.
Machine machine_of_log(const JobLog& log, const std::optional<MachineSize>& size);

/// The machine of a snapshot, all of it idle and up. In a log without GPUs, a job takes whole nodes.
Machine machine_of_snapshot(const JobLog& log, const Cluster& snapshot);

}  // namespace rv::planner
