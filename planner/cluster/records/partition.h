// One partition, with the limits that it sets.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"

namespace rv::planner {

/// What a job in this partition may ask. An empty optional is "no limit stated".
struct Partition {
  std::string name;
  bool is_default = false;
  bool up = false;  // State=UP; a DOWN, DRAIN or INACTIVE partition starts nothing
  std::string state;
  std::optional<std::chrono::seconds> max_time;
  std::optional<std::chrono::seconds> default_time;
  std::optional<int> max_nodes;  // per job
  std::optional<int> min_nodes;
  int total_nodes = 0;                     // by its own word; more than those in Cluster::nodes where Slurm hides some
  std::optional<int> max_cpus_per_node;    // of its jobs on a node together
  std::optional<int> max_cpus_per_socket;  // of each job (23.02)
  std::optional<Mebibytes> max_memory_per_node;
  std::optional<Mebibytes> max_memory_per_cpu;
  std::optional<Mebibytes> default_memory_per_node;
  std::optional<Mebibytes> default_memory_per_cpu;
  std::optional<Mebibytes> default_memory_per_gpu;  // JobDefaults
  std::optional<int> default_cpus_per_gpu;
  std::vector<DatabaseName> allow_accounts;  // empty: all
  std::vector<DatabaseName> deny_accounts;
  std::vector<std::string> allow_groups;  // empty: all
  std::vector<DatabaseName> allow_qos;    // empty: all
  std::vector<DatabaseName> deny_qos;
  DatabaseName qos;                                // the partition's own QOS, empty when it has none
  std::map<DatabaseName, double> billing_weights;  // TRESBillingWeights by TRES name; memory per GiB
  int priority_tier = 1;
  int priority_job_factor = 1;
  std::string preempt_mode;
  std::chrono::seconds grace_time{0};  // that a job here is given to end in when it is preempted
  bool root_only = false;
  bool disable_root_jobs = false;
  bool hidden = false;
  bool exclusive = false;       // OverSubscribe=EXCLUSIVE, Exclusive=NODE or TOPO (26.05): whole nodes only
  bool exclusive_user = false;  // ExclusiveUser=YES, Exclusive=USER: its jobs share a node with the same user's only
  int jobs_per_cpu = 1;         // OverSubscribe=YES:N, FORCE:N
  bool forced_sharing = false;  // OverSubscribe=FORCE
  bool least_loaded = false;    // LLN: of the nodes that are free its jobs get the one with the most free CPUs
  bool requires_reservation = false;

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("is_default", self.is_default);
    field("up", self.up);
    field("state", self.state);
    field("max_time_s", self.max_time);
    field("default_time_s", self.default_time);
    field("max_nodes", self.max_nodes);
    field("min_nodes", self.min_nodes);
    field("total_nodes", self.total_nodes);
    field("max_cpus_per_node", self.max_cpus_per_node);
    field("max_cpus_per_socket", self.max_cpus_per_socket);
    field("max_memory_per_node_mb", self.max_memory_per_node);
    field("max_memory_per_cpu_mb", self.max_memory_per_cpu);
    field("default_memory_per_node_mb", self.default_memory_per_node);
    field("default_memory_per_cpu_mb", self.default_memory_per_cpu);
    field("default_memory_per_gpu_mb", self.default_memory_per_gpu);
    field("default_cpus_per_gpu", self.default_cpus_per_gpu);
    field("allow_accounts", self.allow_accounts);
    field("deny_accounts", self.deny_accounts);
    field("allow_groups", self.allow_groups);
    field("allow_qos", self.allow_qos);
    field("deny_qos", self.deny_qos);
    field("qos", self.qos);
    field("billing_weights", self.billing_weights);
    field("priority_tier", self.priority_tier);
    field("priority_job_factor", self.priority_job_factor);
    field("preempt_mode", self.preempt_mode);
    field("grace_time_s", self.grace_time);
    field("root_only", self.root_only);
    field("disable_root_jobs", self.disable_root_jobs);
    field("hidden", self.hidden);
    field("exclusive", self.exclusive);
    field("exclusive_user", self.exclusive_user);
    field("jobs_per_cpu", self.jobs_per_cpu);
    field("forced_sharing", self.forced_sharing);
    field("least_loaded", self.least_loaded);
    field("requires_reservation", self.requires_reservation);
  }
};

}  // namespace rv::planner
