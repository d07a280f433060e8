// The part of a run's logs that its present attempt wrote: all attempts append to the same files.
#pragma once

#include <string>
#include <vector>

#include "monitor/follow/log_tail.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// Removes the lines that earlier attempts wrote, as far as their exit entries contain the sizes of the logs.
void keep_present_attempt(const RunFacts& facts, std::vector<LogTail>& logs);

/// The last line with text in the first stderr of a node, or in its first stdout where stderr is empty. Empty: no
/// output.
std::string last_line_of(const std::vector<LogTail>& logs);

}  // namespace rv::monitor
