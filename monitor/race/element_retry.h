// Elements of an array that broken hardware ended are started again elsewhere. Pure but for the logs it asks for.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "monitor/follow/log_tail.h"
#include "monitor/race/retry_run.h"

namespace rv::monitor {

/// The ends of one element's logs, each with the node that wrote it.
using ElementLogs = std::function<std::vector<LogTail>(int index, const std::string& node)>;

/// `facts` of an array whose elements have all ended. Those that hardware ended early, by the same rules as a whole run
/// (retry_decision.h); nothing when there is none. An array with more failures than nodes commonly break is not looked
/// through.
std::optional<Retry> element_retry(const RunFacts& facts, const RunView& view, const ElementLogs& logs);

}  // namespace rv::monitor
