// What the logs say of a failure's cause.
#pragma once

#include <cstddef>
#include <vector>

#include "monitor/diagnosis/diagnosis.h"
#include "monitor/diagnosis/failure_pattern.h"

namespace rv::monitor {

struct Finding {
  PatternMatch match;
  const LogTail* log = nullptr;  // of the evidence
  std::size_t line = 0;          // index
};

/// One finding per log and cause, the first line of each: later ones are its echo. By rank. What an earlier start of
/// the job left in the logs is left out.
std::vector<Finding> findings_in(const Evidence& evidence);

}  // namespace rv::monitor
