// Submits jobs in a separate process, which continues if this process ends. Each function returns at once; the journal
// shows what the process did. The process takes the run's submit lock, and reads the run folder again before it acts.
#pragma once

#include "monitor/jobs/chain.h"
#include "monitor/race/retry_run.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// Submits the candidates of the present attempt that have not been submitted.
void submit_in_background(const RunFolder& folder);
/// Begins another attempt and submits its candidates.
void retry_in_background(const RunFolder& folder, const Retry& retry);
/// Submits the segment `next`, which follows the job `last`.
void submit_segment_in_background(const RunFolder& folder, JobId last, const NextSegment& next);

}  // namespace rv::monitor
