// A sweep's outcome for people.
#pragma once

#include <string>

#include "base/os/terminal.h"
#include "reports/sweep/comparison.h"

namespace rv::cli {

/// A line a point, then the answers. `search`: how --find-max ended.
std::string sweep_text(const sweep::Sweep& sweep, const std::string& search, const os::Terminal& terminal);

/// The same table for two machines.
std::string comparison_text(const sweep::Comparison& comparison, const sweep::Order& order,
                            const os::Terminal& terminal);

}  // namespace rv::cli
