// CPUs and memory for a job's part on each node.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/request.h"

namespace rv::planner {

/// The default figures. More would only make a job wait longer; a user who needs more says so.
struct DefaultShare {
  static constexpr int most_cpus_per_gpu = 8;
  static constexpr int mig_cpus = 1;
  static constexpr Mebibytes least_memory{16'384};  // as far as the node has it
  static constexpr Mebibytes mig_memory{16'384};    // at most
  static constexpr int percent_of_memory = 90;      // of the node's, so that CPU jobs beside it do not shut it out
};

struct Resources {
  int cpus = 0;
  Mebibytes memory;
  std::string refusal;  // not empty: the user's own figures can't be had here
};

/// CPUs that Slurm gives a job on each node for the memory that the user named (MaxMemPerCPU); 0: no more than it asks
/// for.
std::int64_t cpus_for_memory(const Limits& limits, const Request& request);

/// "9000M memory needs 9 CPUs (MaxMemPerCPU 1000M)"; only where cpus_for_memory() is not 0.
std::string cpus_needed(const Limits& limits, const Request& request);

/// CPUs: the GPUs' share of the node's (node CPUs / node GPUs, whole), at most 8 and at least 1 a GPU. Memory: the
/// GPUs' share of 90 % of the node's, in whole GiB, at least 16 GiB where 90 % of the node is that much. A MIG slice: 1
/// CPU, its share of memory but at most 16 GiB. The smallest of `places` decides, so that each of them can take the
/// job. Both shrink to what the limits leave; memory also to CPUs × MaxMemPerCPU, because Slurm silently raises the CPU
/// count beyond that (and then past a QOS limit). The user's own figures are kept as they are, except that memory above
/// CPUs × MaxMemPerCPU raises the CPUs, as Slurm does with a job that names both. It is refused where a limit or the
/// nodes have not that many.
/// `places` must not be empty.
Resources choose_resources(const std::vector<const NodeGpus*>& places, bool mig, int nodes, int gpus_per_node,
                           const Limits& limits, const Request& request);

/// Of a job without GPUs: the user's figures, else 1 CPU and the memory that Slurm gives a job that names none
/// (DefMemPerCPU or DefMemPerNode, the partition's before the cluster's; without one, a whole node's, or 0 where
/// SelectTypeParameters does not count memory). The default shrinks to what the nodes and the limits leave.
Resources choose_cpu_resources(const std::vector<const NodeGpus*>& places, const ControllerSettings& controller,
                               const Partition& partition, int nodes, const Limits& limits, const Request& request);

}  // namespace rv::planner
