// One reservation.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/records/database_name.h"
#include "planner/cluster/records/time_point.h"

namespace rv::planner {

struct Reservation {
  std::string name;
  TimePoint start;
  TimePoint end;
  std::vector<std::string> nodes;  // host names, expanded
  std::vector<std::string> flags;  // MAINT, IGNORE_JOBS, …
  std::vector<DatabaseName> users;
  std::vector<DatabaseName> accounts;
  std::vector<DatabaseName> qos;        // AllowQOS (25.11); empty: all
  std::vector<std::string> partitions;  // AllowPartition (25.11); empty: all

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("start", self.start);
    field("end", self.end);
    field("nodes", self.nodes);
    field("flags", self.flags);
    field("users", self.users);
    field("accounts", self.accounts);
    field("qos", self.qos);
    field("partitions", self.partitions);
  }
};

}  // namespace rv::planner
