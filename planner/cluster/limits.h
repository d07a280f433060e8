// The limits of a job in a partition, from the partition, the QOS and the association.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// A limit on one TRES, with the text that names it in a rejection.
struct TresLimit {
  DatabaseName tres;        // "cpu", "mem", "node", "gres/gpu", "gres/gpu:a100"
  std::int64_t amount = 0;  // "mem" in MiB
  bool per_node = false;    // the amount is for each node; else for the whole job
  std::string per;          // "a job", "a node", "a user", "an account", "in all"
  std::string source;       // "QOS int3090 MaxTRESPerJob gres/gpu=2", "MaxNodes"
};

struct WallLimit {
  std::chrono::seconds most{0};
  std::string source;  // "MaxTime", "QOS short MaxWall"
};

struct MemoryPerCpu {
  Mebibytes most;
  std::string source;  // "MaxMemPerCPU", "the cluster's MaxMemPerCPU"
};

struct Limits {
  std::string partition;
  std::vector<TresLimit> most;
  std::vector<TresLimit> least;
  std::vector<WallLimit> wall;
  std::optional<MemoryPerCpu> memory_per_cpu;

  /// The largest amount per node that all limits allow, and the limit that sets it; null if unlimited.
  struct Bound {
    std::int64_t per_node = 0;
    const TresLimit* limit = nullptr;
  };
  /// The bound for a job of `nodes` nodes.
  Bound tightest(const DatabaseName& tres, int nodes) const;

  /// The shortest time limit; null if there is none.
  const WallLimit* shortest_wall() const;
};

/// Returns the limits of a job in `partition` with this QOS and association (null: unknown, sets no limit).
/// - If the same limit is set in several places, the first of these counts, as in Slurm: partition QOS, job QOS,
///   association. A job QOS with OverPartQOS comes before the partition QOS.
/// - A job QOS with PartitionTimeLimit, PartitionMaxNodes or PartitionMinNodes removes that limit of the partition.
/// - Limits of QOS and association count, unless AccountingStorageEnforce is known and does not enforce them.
/// - Other jobs are ignored: a limit per user or group is applied to this job as if no other job used it.
Limits effective_limits(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                        const Association* association);

/// "gpu-a40 allows 2 GPUs a job (QOS x MaxTRESPerJob gres/gpu=2); you asked for 4". Empty if the job keeps every limit.
/// `job`: totals of the whole job. `asked`: the TRES whose amounts the user gave.
std::optional<std::string> broken_limit(const Limits& limits, const Tres& job, int nodes,
                                        const std::vector<DatabaseName>& asked);

/// "2 GPUs", "1 a100 GPU", "4 CPUs", "16G memory", "3 nodes".
std::string tres_in_words(const DatabaseName& tres, std::int64_t amount);

/// False only if AccountingStorageEnforce is known and does not contain `what`: "associations", "limits" or "qos".
bool enforces(const ControllerSettings& controller, std::string_view what);

}  // namespace rv::planner
