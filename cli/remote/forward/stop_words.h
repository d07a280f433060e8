// The forwards that rv forward --stop ends.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/remote/forward/forward_record.h"

namespace rv::forward {

/// The forwards and their local ports that are to be closed. `words`: local ports, IDs or names of runs, or "all";
/// none means the only forward there is. Throws Error(usage) for what is not forwarded, for no words where there are
/// several, and for a forward whose process is on another machine than `machine`, unless "all" is meant.
std::vector<std::pair<ForwardRecord, std::vector<int>>> ports_to_stop(const std::vector<ForwardRecord>& records,
                                                                      const std::vector<std::string>& words,
                                                                      const std::string& machine);

}  // namespace rv::forward
