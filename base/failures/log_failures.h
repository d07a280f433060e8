// Finds the failures of a program in its log.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/failures/message.h"
#include "base/failures/python_error.h"

namespace rv::failures {

struct LogFailure {
  Match match;
  std::size_t line = 0;  // index
  std::string text;      // the message, without the rest of a progress bar
  std::optional<PythonError> error;
  bool counts = false;  // it ended the program, and no later exception takes precedence
};

/// Returns the failures in a log, in its order. Of the messages that count, only the first of each cause is returned:
/// later ones repeat it. A message does not count
/// - if lines of progress follow it: the program survived it, or
/// - if an exception of Python follows it that is not itself a consequence (NCCL's or CUDA's of a broken GPU), or
/// - if it only reports another process's failure.
/// A message that is a warning with this exit code counts only in the last lines (Certainty::warning).
std::vector<LogFailure> failures_in(std::span<const std::string> lines, std::optional<int> exit_code);

}  // namespace rv::failures
