// Finds messages in the logs that name the cause of a failure.
#pragma once

#include <vector>

#include "base/failures/log_failures.h"
#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

struct Finding {
  failures::LogFailure failure;
  const LogTail* log = nullptr;  // one of RunEvidence::logs

  Cause cause() const { return failure.match.cause; }
  bool is_warning() const { return failure.match.certainty == failures::Certainty::warning; }
};

/// Returns the failure messages in the logs, at most one for each log and cause, sorted by importance. Output of an
/// earlier start of the job is ignored.
std::vector<Finding> findings_in(const RunEvidence& evidence);

}  // namespace rv::monitor
