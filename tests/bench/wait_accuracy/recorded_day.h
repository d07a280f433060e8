// A day that record_day.py recorded, submission by submission.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "slurm/parse/parse_priority.h"

namespace rv::bench {

/// Which of a request's strategies was submitted.
struct StrategyKey {
  std::string type;  // GPU model
  int nodes = 1;
  std::string partition;  // as passed to sbatch; empty: any
};

/// One scored job: what was known right before it was submitted, what Slurm said, and what came.
struct Submission {
  planner::Cluster cluster;
  planner::Request request;
  StrategyKey strategy;
  slurm::PriorityFacts priority;  // the user's shares; nothing is known of his pending jobs' factors
  planner::TimePoint submitted;
  std::optional<planner::TimePoint> start;         // nothing: the day ended first
  std::optional<planner::TimePoint> test_only;     // nothing: refused
  std::optional<planner::TimePoint> squeue_start;  // nothing: never planned
  bool started_before_squeue = false;              // it ran by the time of the first `squeue --start`
};

struct RecordedDay {
  std::vector<Submission> submissions;
  std::vector<planner::FinishedJob> finished;  // of the whole day, by end
};

/// Reads a folder of tests/data/days. Throws std::runtime_error naming the file that is missing or broken. Needs gzip.
RecordedDay read_day(const std::string& folder);

/// The plain strategy of the plan that was submitted; null when the plan has none such.
const planner::Strategy* submitted_strategy(const planner::Plan& plan, const StrategyKey& key);

/// The jobs of the day that had ended by `now`.
std::vector<planner::FinishedJob> known_at(const RecordedDay& day, planner::TimePoint now);

}  // namespace rv::bench
