// The last lines of a log, for a diagnosis that names no cause.
#pragma once

#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

/// Sets `tail` to the last lines of the first stderr, or of the first log if no stderr was written.
void add_log_excerpt(Diagnosis& diagnosis, const RunEvidence& evidence);

}  // namespace rv::monitor
