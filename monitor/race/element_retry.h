// Decides which elements of an array are started again on other nodes, because broken hardware ended them. Pure, except
// that it reads logs through a function.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "monitor/follow/log_tail.h"
#include "monitor/race/retry_run.h"

namespace rv::monitor {

/// Returns the ends of one element's logs, each with the node that wrote it.
using ElementLogs = std::function<std::vector<LogTail>(int index, const std::string& node)>;

/// Returns a retry of the elements that broken hardware ended, by the rules for a whole run (retry_decision.h); nothing
/// if there are none. `facts`: of an array whose elements have all ended. With more than 64 failed elements it returns
/// nothing: broken nodes are not a likely cause of so many.
std::optional<Retry> element_retry(const RunFacts& facts, const RunView& view, const ElementLogs& logs);

}  // namespace rv::monitor
