// The priority of a job that is submitted now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// For each user that of the newest job in the queue, whose age counts least. For users without one, the median
/// of the newest pending jobs (at most twenty); with priority/basic, where the newest job comes last, below all.
class NewJobPriority {
 public:
  /// `own`: of the snapshot's user, where it is known better.
  explicit NewJobPriority(const Cluster& cluster, std::optional<std::int64_t> own = {});

  std::int64_t of(const DatabaseName& user) const;

  /// Where of() has it from, for a basis: "priority of your newest job", …
  std::string source(const DatabaseName& user) const;

 private:
  struct Newest {
    TimePoint submitted;
    std::int64_t priority = 0;
  };
  std::unordered_map<DatabaseName, Newest> by_user_;
  std::int64_t typical_ = 0;
  std::string typical_source_;
};

}  // namespace rv::planner
