// One run while its view is computed: its facts, and the part of the view that is known so far.
#pragma once

#include <map>
#include <string>

#include "monitor/jobs/run_view.h"

namespace rv::monitor {

struct RunAssessment {
  RunAssessment(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now);

  void finish(RunState state, std::string detail);

  /// Ends a run that was stopped after it had started. This is the regular end of a held allocation.
  void stopped();

  /// Slurm's status of the job that won; null if no job has won, or Slurm was not queried about it.
  const JobStatus* winner_status() const;

  /// "; 3 of 4 elements done …" for an array, otherwise empty.
  std::string elements() const;

  const RunFacts& facts;
  TimePoint now;
  RunView view;
};

/// The last event of this kind; null if there is none.
const Event* last_event(const RunFacts& facts, EventKind kind);

}  // namespace rv::monitor
