// Estimates the priority of a job that is submitted now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// For each user, the priority of the newest job in the queue, to which its age contributes least. For users without a
/// job, the median of the newest pending jobs (at most twenty). With priority/basic, a new job comes after all others.
class NewJobPriority {
 public:
  /// `own`: the priority of the snapshot's user, if it is known from elsewhere.
  explicit NewJobPriority(const Cluster& cluster, std::optional<std::int64_t> own = {});

  std::int64_t of(const DatabaseName& user) const;

  /// Returns the source of of(user), for the forecast's basis: "priority of your newest job", …
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
