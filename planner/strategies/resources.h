// The CPUs and the memory that a job requests on each node.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/request.h"

namespace rv::planner {

/// The default amounts. Larger ones would make a job wait longer; users can request more.
struct DefaultShare {
  static constexpr int most_cpus_per_gpu = 8;
  static constexpr int mig_cpus = 1;
  static constexpr Mebibytes least_memory{16'384};  // less if the node has less
  static constexpr Mebibytes mig_memory{16'384};    // maximum
  static constexpr int percent_of_memory = 90;      // of the node's memory: CPU jobs on the node may use the rest
};

struct Resources {
  int cpus = 0;
  Mebibytes memory;
  bool all_memory = false;  // of each node, however large; `memory` is then that of the smallest
  std::string refusal;      // not empty: the nodes or limits don't allow the user's amounts
};

/// Returns the CPUs per node to which Slurm raises a job because of the memory that the user requested (MaxMemPerCPU),
/// on a node with this much memory; 0 if Slurm does not raise them.
std::int64_t cpus_for_memory(const Limits& limits, const Request& request, Mebibytes node_memory);

/// Text: "9000M memory needs 9 CPUs (MaxMemPerCPU 1000M)". Only if cpus_for_memory() is not 0.
std::string cpus_needed(const Limits& limits, const Request& request, Mebibytes node_memory);

/// Returns the resources on each node of a job with GPUs. `places` must not be empty; the smallest of them decides, so
/// that each can run the job.
/// - CPUs: the GPUs' share of the node's CPUs (node CPUs / node GPUs, rounded down), 1 to 8 per GPU.
/// - Memory: the GPUs' share of 90 % of the node's memory, in whole GiB, at least 16 GiB if 90 % of the node is that
///   much.
/// - A MIG slice gets 1 CPU and its share of memory, at most 16 GiB.
///
/// These defaults are reduced to the limits. Memory is also reduced to CPUs × MaxMemPerCPU, because for more memory
/// Slurm silently raises the number of CPUs, even above a QOS limit. The user's own amounts are not changed, with one
/// exception, as in Slurm: memory above CPUs × MaxMemPerCPU raises the CPUs. The result has a refusal if a limit or the
/// nodes don't allow the user's amounts.
Resources choose_resources(const std::vector<const NodeGpus*>& places, bool mig, int nodes, int gpus_per_node,
                           const Limits& limits, const Request& request);

/// Returns the resources on each node of a job without GPUs: the user's amounts, else 1 CPU and Slurm's default memory
/// (DefMemPerCPU or DefMemPerNode, the partition's before the cluster's). Without such a default it is the memory of a
/// whole node, or 0 if SelectTypeParameters does not count memory. Defaults are reduced to what the nodes and the
/// limits allow.
Resources choose_cpu_resources(const std::vector<const NodeGpus*>& places, const ControllerSettings& controller,
                               const Partition& partition, int nodes, const Limits& limits, const Request& request);

/// Raises the amounts that the user left open to those of the smallest place, for a job that keeps other jobs off its
/// nodes. A limit on CPUs or memory still holds.
void take_whole_nodes(Resources& chosen, const std::vector<const NodeGpus*>& places, int nodes, const Limits& limits,
                      const Request& request);

}  // namespace rv::planner
