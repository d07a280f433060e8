// Inputs of a forecast besides the snapshot, and its settings.
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
  std::vector<FinishedJob> finished;     // recent jobs; empty: jobs are assumed to run to their limits, and none arrive
  std::optional<std::int64_t> priority;  // of a job submitted now, from sprio or sshare; nothing: unknown
  std::string priority_source;           // its source, for the basis: "sprio"
  std::optional<std::int64_t> queued_priority;     // of a job that waits already; replaces `priority`
  std::vector<std::chrono::seconds> launch_waits;  // real waits of earlier runs that were predicted to start at once
  std::uint64_t seed = 1;
  int trials = 64;
  int threads = 1;                             // the result does not depend on it
  std::chrono::seconds window_delay{15 * 60};  // a start within this time counts as "soon"
  std::chrono::seconds restart_cost{5 * 60};   // work that each restart of a checkpointed run loses and repeats
};

}  // namespace rv::planner
