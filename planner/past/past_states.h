// The state of a machine at each submission of a log: which jobs ran, which waited, which had ended.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner/past/job_log.h"
#include "planner/past/machine.h"

namespace rv::planner {

/// Walks forward through a log. At a job's submission it gives only what was known then: a running job has no end, a
/// waiting job has no start, and of jobs that were submitted later there is nothing.
class PastStates {
 public:
  /// Both must outlive this object.
  PastStates(const JobLog& log, const Machine& machine);

  /// Moves to the submission of job number `job`; numbers must not fall from call to call.
  void advance(std::size_t job);

  /// The machine right before that submission, without the job itself.
  Cluster cluster() const;

  /// Jobs that had ended by then, at most the newest `most`.
  std::vector<FinishedJob> finished(std::size_t most) const;

  /// Numbers of the jobs that had started by then, in the order of their starts.
  const std::vector<std::size_t>& started() const { return started_; }

  /// Jobs that did not fit on the machine when they started; they hold no nodes.
  std::size_t unplaced() const { return unplaced_; }

 private:
  void place(std::size_t job);
  void end_until(TimePoint moment);
  QueuedJob queued(std::size_t job) const;

  const JobLog& log_;
  const Machine& machine_;
  std::vector<std::size_t> starts_;  // all jobs by start
  std::size_t next_submission_ = 0;
  std::size_t next_start_ = 0;
  std::vector<std::size_t> started_;
  std::vector<std::size_t> ended_;
  std::vector<std::size_t> waiting_;                        // by number
  std::vector<std::pair<TimePoint, std::size_t>> running_;  // by end, the last one first
  std::vector<std::vector<std::size_t>> held_;              // by job: its nodes; empty: none
  std::vector<int> free_;                                   // by node
  std::size_t unplaced_ = 0;
  TimePoint now_;
};

/// What a job of the log asks of each node: GPUs, or 1 for the whole node of a machine without GPUs.
int amount_per_node(const JobLog& log, const FinishedJob& job);

}  // namespace rv::planner
