// One job of the queue.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"
#include "planner/cluster/records/time_point.h"
#include "planner/cluster/records/tres.h"

namespace rv::planner {

/// One job (an array element is a job of its own) that is pending, running, suspended or completing.
struct QueuedJob {
  std::string id;  // "123", "123_4"; "123_[5-9]" for unsplit array elements
  DatabaseName user;
  DatabaseName account;
  std::vector<std::string> partitions;
  DatabaseName qos;
  std::string state;   // PENDING, RUNNING, …: Slurm's word
  std::string reason;  // pending reason, "None" when there is none
  std::int64_t priority = 0;
  Tres requested;             // totals of the whole job (tres-alloc)
  std::string gres_per_node;  // as asked: "gres:gpu:a100:2"; empty when GPUs were asked another way or not at all
  int nodes = 1;              // NumNodes
  int cpus = 0;
  std::optional<Mebibytes> min_memory;  // per node or per CPU as Slurm reports it, 0 = unspecified
  bool min_memory_is_per_cpu = false;
  std::optional<std::chrono::seconds> time_limit;  // empty: UNLIMITED or not set
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> eligible;
  std::optional<TimePoint> start;       // real start, or the scheduler's plan for a pending job
  std::vector<std::string> node_names;  // where it runs
  std::vector<std::string> scheduled_nodes;
  std::vector<std::string> required_nodes;
  std::vector<std::string> excluded_nodes;
  std::string features;
  std::string dependency;
  std::string reservation;
  bool exclusive = false;
  bool exclusive_user = false;  // --exclusive=user
  bool oversubscribe = false;   // --oversubscribe
  bool part_of_het_job = false;
  int array_tasks = 1;         // how many elements an unsplit record stands for
  std::uint32_t name_key = 0;  // planner/cluster/job_name.h; 0: not known

  static void describe(auto& self, auto& field) {
    field("id", self.id);
    field("user", self.user);
    field("account", self.account);
    field("partitions", self.partitions);
    field("qos", self.qos);
    field("state", self.state);
    field("reason", self.reason);
    field("priority", self.priority);
    field("requested", self.requested);
    field("gres_per_node", self.gres_per_node);
    field("nodes", self.nodes);
    field("cpus", self.cpus);
    field("min_memory_mb", self.min_memory);
    field("min_memory_is_per_cpu", self.min_memory_is_per_cpu);
    field("time_limit_s", self.time_limit);
    field("submitted", self.submitted);
    field("eligible", self.eligible);
    field("start", self.start);
    field("node_names", self.node_names);
    field("scheduled_nodes", self.scheduled_nodes);
    field("required_nodes", self.required_nodes);
    field("excluded_nodes", self.excluded_nodes);
    field("features", self.features);
    field("dependency", self.dependency);
    field("reservation", self.reservation);
    field("exclusive", self.exclusive);
    field("exclusive_user", self.exclusive_user);
    field("oversubscribe", self.oversubscribe);
    field("part_of_het_job", self.part_of_het_job);
    field("array_tasks", self.array_tasks);
    field("name_key", self.name_key);
  }
};

}  // namespace rv::planner
