// One QOS, with its limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/records/database_name.h"
#include "planner/cluster/records/tres.h"

namespace rv::planner {

/// Limits of a QOS. Which user or account they apply to is Slurm's business: MaxTRESPU is per user, Grp* per QOS.
struct Qos {
  DatabaseName name;
  std::int64_t priority = 0;
  std::vector<std::string> flags;  // DenyOnLimit, PartitionMaxNodes, …
  Tres max_tres_per_job;
  Tres max_tres_per_node;
  Tres max_tres_per_user;
  Tres max_tres_per_account;
  Tres group_tres;
  Tres min_tres_per_job;
  std::optional<std::chrono::seconds> max_wall;
  std::optional<int> group_jobs;
  std::optional<int> max_jobs_per_user;
  std::optional<int> max_jobs_per_account;
  std::optional<int> group_submit;
  std::optional<int> max_submit_per_user;
  std::optional<int> max_submit_per_account;
  std::vector<DatabaseName> preempts;  // QOS whose jobs make room for those of this one (PreemptType=preempt/qos)
  std::string preempt_mode;            // of its own jobs; empty, "cluster": the controller's
  std::chrono::seconds grace_time{0};
  std::optional<std::chrono::seconds> preempt_exempt_time;  // empty: the controller's

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("priority", self.priority);
    field("flags", self.flags);
    field("max_tres_per_job", self.max_tres_per_job);
    field("max_tres_per_node", self.max_tres_per_node);
    field("max_tres_per_user", self.max_tres_per_user);
    field("max_tres_per_account", self.max_tres_per_account);
    field("group_tres", self.group_tres);
    field("min_tres_per_job", self.min_tres_per_job);
    field("max_wall_s", self.max_wall);
    field("group_jobs", self.group_jobs);
    field("max_jobs_per_user", self.max_jobs_per_user);
    field("max_jobs_per_account", self.max_jobs_per_account);
    field("group_submit", self.group_submit);
    field("max_submit_per_user", self.max_submit_per_user);
    field("max_submit_per_account", self.max_submit_per_account);
    field("preempts", self.preempts);
    field("preempt_mode", self.preempt_mode);
    field("grace_time_s", self.grace_time);
    field("preempt_exempt_time_s", self.preempt_exempt_time);
  }
};

}  // namespace rv::planner
