// The associations of the user who asked, and the tree of accounts above them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/records/database_name.h"
#include "planner/cluster/records/tres.h"

namespace rv::planner {

/// One association of the asking user (account × optional partition).
struct Association {
  DatabaseName account;
  std::string partition;  // empty: any
  bool is_default_account = false;
  DatabaseName default_qos;
  std::vector<DatabaseName> qos;  // permitted ones; empty where accounting did not say
  Tres max_tres_per_job;
  Tres max_tres_per_node;
  Tres group_tres;
  std::optional<std::chrono::seconds> max_wall;
  std::optional<int> group_jobs;
  std::optional<int> max_jobs;
  std::optional<int> group_submit;
  std::optional<int> max_submit;

  static void describe(auto& self, auto& field) {
    field("account", self.account);
    field("partition", self.partition);
    field("is_default_account", self.is_default_account);
    field("default_qos", self.default_qos);
    field("qos", self.qos);
    field("max_tres_per_job", self.max_tres_per_job);
    field("max_tres_per_node", self.max_tres_per_node);
    field("group_tres", self.group_tres);
    field("max_wall_s", self.max_wall);
    field("group_jobs", self.group_jobs);
    field("max_jobs", self.max_jobs);
    field("group_submit", self.group_submit);
    field("max_submit", self.max_submit);
  }
};

/// An account, with the limits that the jobs of all its users and of the accounts below it share.
struct Account {
  DatabaseName name;
  DatabaseName parent;  // empty: the root has none
  Tres group_tres;
  std::optional<int> group_jobs;
  std::optional<int> group_submit;
  Tres used_tres;  // as the controller counts them: PrivateData may hide some of these jobs from the user
  int used_jobs = 0;
  int used_submit = 0;

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("parent", self.parent);
    field("group_tres", self.group_tres);
    field("group_jobs", self.group_jobs);
    field("group_submit", self.group_submit);
    field("used_tres", self.used_tres);
    field("used_jobs", self.used_jobs);
    field("used_submit", self.used_submit);
  }
};

}  // namespace rv::planner
