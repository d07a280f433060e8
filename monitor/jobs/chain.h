// What a checkpointed run needs next, from its records and Slurm's word. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/jobs/job_status.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// A segment that the run needs and that has not been submitted.
struct NextSegment {
  int number = 1;
  std::string why;           // how the one before ended, in words
  bool node_failed = false;  // the nodes of the one before should not be asked for again
};

/// What to do after the run's last known job has ended as `last` says. Nothing: the chain is over, was stopped, or goes
/// on by itself. A segment whose jobs end three times without passing the gate is given up.
std::optional<NextSegment> next_segment(const RunFacts& facts, const JobStatus& last);

/// The winner's job that was submitted last.
std::optional<JobId> last_job(const RunFacts& facts);

/// The last segments in a row that failed without having saved anything; one without an end is passed over.
int fruitless_segments(const std::vector<Segment>& segments);

/// "segment 2 of 3": the last one that began plus `ahead`; how many there will be is the plan's guess.
std::string segment_words(const RunFacts& facts, int ahead);

}  // namespace rv::monitor
