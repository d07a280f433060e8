// A job that has ended according to accounting. Run times and arrivals are learned from such jobs.
#pragma once

#include <chrono>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// One finished job (an array element is a job of its own). Times are the cluster's clock.
struct FinishedJob {
  DatabaseName user;
  DatabaseName account;
  std::string partition;  // partition in which it ran
  DatabaseName qos;
  std::string state;  // COMPLETED, TIMEOUT, …: only the first word
  TimePoint submitted;
  TimePoint eligible;
  TimePoint start;
  TimePoint end;
  std::chrono::seconds limit{0};  // 0: unlimited or not recorded
  int nodes = 1;
  int cpus = 0;
  Mebibytes memory;            // whole job; 0 if accounting did not record it
  std::string gpu_type;        // of the allocated gres; empty: untyped or no GPU
  int gpus = 0;                // whole job
  std::uint32_t name_key = 0;  // planner/cluster/job_name.h; 0: not known

  static void describe(auto& self, auto& field) {
    field("user", self.user);
    field("account", self.account);
    field("partition", self.partition);
    field("qos", self.qos);
    field("state", self.state);
    field("submitted", self.submitted);
    field("eligible", self.eligible);
    field("start", self.start);
    field("end", self.end);
    field("limit_s", self.limit);
    field("nodes", self.nodes);
    field("cpus", self.cpus);
    field("memory_mb", self.memory);
    field("gpu_type", self.gpu_type);
    field("gpus", self.gpus);
    field("name_key", self.name_key);
  }
};

}  // namespace rv::planner
