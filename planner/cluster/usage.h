// What running jobs use up of limits that are shared among jobs.
#pragma once

#include <map>
#include <string>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Resources of running jobs, by whom a limit speaks of.
struct Usage {
  struct Sum {
    Tres tres;
    int jobs = 0;
  };
  std::map<DatabaseName, Sum> of_qos;           // a partition's own QOS counts the partition's jobs
  std::map<DatabaseName, Sum> of_user_and_qos;  // the asking user's part of it
  std::map<DatabaseName, Sum> of_user_and_account;
};

/// One pass over the jobs.
Usage measure_usage(const Cluster& cluster);

/// True when the strategy could start in `partition` beside what runs, as far as limits per user, QOS and association
/// go. False as well when there is such a limit and the jobs are not known.
bool within_shared_limits(const Cluster& cluster, const Usage& usage, const Partition& partition,
                          const Strategy& strategy);

}  // namespace rv::planner
