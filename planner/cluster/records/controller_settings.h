// The settings of slurmctld (scontrol show config) that rv reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"

namespace rv::planner {

/// Controller settings that affect a request or a prediction.
struct ControllerSettings {
  std::string version;  // "22.05.8"
  DatabaseName cluster_name;
  std::string federation;                                   // federation in which the cluster is active; empty: none
  std::map<std::string, std::string> scheduler_parameters;  // bf_window → "1440"; flags map to ""
  std::string scheduler_type;
  std::string priority_type;
  std::vector<std::string> priority_flags;  // PriorityFlags: MAX_TRES, …
  std::string preempt_type;                 // "preempt/partition_prio"; empty: unknown
  std::string preempt_mode;
  std::chrono::seconds preempt_exempt_time{0};  // time that a job runs before it may be preempted
  std::string select_type_parameters;
  bool requeue_by_default = true;                   // JobRequeue
  bool accounting = false;                          // AccountingStorageType is slurmdbd
  std::vector<std::string> enforced;                // AccountingStorageEnforce
  std::string enforce_partition_limits;             // EnforcePartLimits: NO, ANY, ALL
  std::chrono::seconds min_job_age{300};            // how long a finished job stays visible
  std::chrono::seconds kill_wait{30};               // TERM to KILL
  std::chrono::seconds credential_life{120};        // AuthInfo cred_expire: also the delay of a requeue
  std::chrono::seconds resume_timeout{60};          // longest time that a node needs to power up
  std::vector<std::string> private_data;            // PrivateData: records of which users see only their own
  std::optional<Mebibytes> max_memory_per_cpu;      // cluster-wide MaxMemPerCPU
  std::optional<Mebibytes> max_memory_per_node;     // cluster-wide MaxMemPerNode
  std::optional<Mebibytes> default_memory_per_cpu;  // cluster-wide DefMemPerCPU
  std::optional<Mebibytes> default_memory_per_node;
  std::optional<Mebibytes> default_memory_per_gpu;  // JobDefaults
  std::optional<int> default_cpus_per_gpu;
  std::string topology_plugin;  // "topology/tree"
  std::optional<int> max_array_size;
  std::map<std::string, std::int64_t> priority_weights;         // "QOS" → 1000, …
  std::optional<std::map<std::string, std::int64_t>> licenses;  // of this cluster: "solver" → 2; empty: unknown

  static void describe(auto& self, auto& field) {
    field("version", self.version);
    field("cluster_name", self.cluster_name);
    field("federation", self.federation);
    field("scheduler_parameters", self.scheduler_parameters);
    field("scheduler_type", self.scheduler_type);
    field("priority_type", self.priority_type);
    field("priority_flags", self.priority_flags);
    field("preempt_type", self.preempt_type);
    field("preempt_mode", self.preempt_mode);
    field("preempt_exempt_time_s", self.preempt_exempt_time);
    field("select_type_parameters", self.select_type_parameters);
    field("requeue_by_default", self.requeue_by_default);
    field("accounting", self.accounting);
    field("enforced", self.enforced);
    field("enforce_partition_limits", self.enforce_partition_limits);
    field("min_job_age_s", self.min_job_age);
    field("kill_wait_s", self.kill_wait);
    field("credential_life_s", self.credential_life);
    field("resume_timeout_s", self.resume_timeout);
    field("private_data", self.private_data);
    field("max_memory_per_cpu_mb", self.max_memory_per_cpu);
    field("max_memory_per_node_mb", self.max_memory_per_node);
    field("default_memory_per_cpu_mb", self.default_memory_per_cpu);
    field("default_memory_per_node_mb", self.default_memory_per_node);
    field("default_memory_per_gpu_mb", self.default_memory_per_gpu);
    field("default_cpus_per_gpu", self.default_cpus_per_gpu);
    field("topology_plugin", self.topology_plugin);
    field("max_array_size", self.max_array_size);
    field("priority_weights", self.priority_weights);
    field("licenses", self.licenses);
  }
};

}  // namespace rv::planner
