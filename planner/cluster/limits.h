// What a job in a partition may ask, from the partition, the QOS and the association together.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// A bound on one TRES, with the words to name it in a rejection.
struct TresLimit {
  DatabaseName tres;        // "cpu", "mem", "node", "gres/gpu", "gres/gpu:a100"
  std::int64_t amount = 0;  // "mem" in MiB
  bool per_node = false;    // of each node; else of the whole job
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

  /// The smallest amount per node that the limits leave a job of `nodes` nodes, and its limit; null when unlimited.
  struct Bound {
    std::int64_t per_node = 0;
    const TresLimit* limit = nullptr;
  };
  Bound tightest(const DatabaseName& tres, int nodes) const;

  /// The shortest wall clock limit; null when there is none.
  const WallLimit* shortest_wall() const;
};

/// Limits of a job in `partition` with this QOS and association (null: unknown, no limit from there). Of the same limit
/// set in several places, Slurm uses the first of: partition QOS, job QOS, association (job QOS first where that has
/// OverPartQOS); so does this. A job QOS with PartitionTimeLimit, PartitionMaxNodes or PartitionMinNodes lifts that
/// limit of the partition. Limits of QOS and association count unless AccountingStorageEnforce is known to leave
/// limits out. What other jobs use up is not looked at: a limit per user or group bounds this job alone.
Limits effective_limits(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                        const Association* association);

/// "gpu-a40 allows 2 GPUs a job (QOS x MaxTRESPerJob gres/gpu=2); you asked for 4". Empty when every limit is kept.
/// `job`: totals of the whole job. `asked`: names of the TRES whose amount is the user's own figure.
std::optional<std::string> broken_limit(const Limits& limits, const Tres& job, int nodes,
                                        const std::vector<DatabaseName>& asked);

/// "2 GPUs", "1 a100 GPU", "4 CPUs", "16G memory", "3 nodes".
std::string tres_in_words(const DatabaseName& tres, std::int64_t amount);

/// True unless AccountingStorageEnforce is known and leaves this out: "associations", "limits" or "qos".
bool enforces(const ControllerSettings& controller, std::string_view what);

}  // namespace rv::planner
