// Decides from a checkpointed run's records and Slurm's status whether a client must submit the next segment. Pure.
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
  std::string why;           // text: how the job before ended
  bool node_failed = false;  // the job before lost a node: its nodes are to be excluded
};

/// Returns the segment that a client must submit after the run's last job has ended with the status `last`. Nothing if
/// the chain is over, was stopped, or continues without a client. After three submissions a segment is given up.
std::optional<NextSegment> next_segment(const RunFacts& facts, const JobStatus& last);

/// Returns the last submitted job of the candidate that won; nothing if none has won.
std::optional<JobId> last_job(const RunFacts& facts);

/// Returns how many segments in a row, up to the last one, failed without saving anything. Segments without an end are
/// skipped.
int fruitless_segments(const std::vector<Segment>& segments);

/// "segment 2 of 3". The first number is that of the last segment that began, plus `ahead`; the second is an estimate
/// from the time that is left.
std::string segment_words(const RunFacts& facts, int ahead);

}  // namespace rv::monitor
