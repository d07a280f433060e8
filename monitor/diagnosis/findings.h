// What the logs say of a failure's cause.
#pragma once

#include <vector>

#include "base/failures/log_failures.h"
#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

struct Finding {
  failures::LogFailure failure;
  const LogTail* log = nullptr;  // of the evidence

  Cause cause() const { return failure.match.cause; }
  bool is_warning() const { return failure.match.certainty == failures::Certainty::warning; }
};

/// The failures that count in each log, at most one for each log and cause. By rank. What an earlier start of the job
/// left in the logs is left out.
std::vector<Finding> findings_in(const RunEvidence& evidence);

}  // namespace rv::monitor
