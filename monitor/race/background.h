// Submitting in a process of its own that outlives this one, whatever happens to this one. Each returns at once; what
// it does is in the journal. The process takes the run's submit lock, and looks again before it does anything.
#pragma once

#include "monitor/jobs/chain.h"
#include "monitor/race/retry_run.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// The candidates of the present attempt that are not submitted.
void submit_in_background(const RunFolder& folder);
/// Begins another attempt.
void retry_in_background(const RunFolder& folder, const Retry& retry);
/// The segment after `last`.
void submit_segment_in_background(const RunFolder& folder, JobId last, const NextSegment& next);

}  // namespace rv::monitor
