// What is known beyond the snapshot, and how it is to be weighed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/finished_job.h"
#include "planner/cluster/goal.h"

namespace rv::planner {

struct ForecastInputs {
  Goal goal;
  std::vector<FinishedJob> finished;            // recent ones; empty: jobs run to their limits, and none arrive
  std::optional<std::int64_t> priority;         // of a job submitted now, where sprio and sshare tell
  std::string priority_source;                  // in words, for the basis: "sprio"
  std::optional<std::int64_t> queued_priority;  // of a job that waits already, in place of a new job's
  std::vector<std::chrono::seconds> launches;   // waits of earlier runs that were predicted to start at once
  std::uint64_t seed = 1;
  int trials = 64;
  int threads = 1;                             // the answer does not depend on it
  std::chrono::seconds window_delay{15 * 60};  // a start within so much counts as soon
  std::chrono::seconds restart_cost{5 * 60};   // work lost and repeated at each restart of a checkpointed run
};

}  // namespace rv::planner
