// Before rv gc removes runs: those that ended while no rv was looking get a record of it.
#pragma once

#include <string>
#include <vector>

#include "cli/options/invocation.h"
#include "monitor/run/listed_runs.h"

namespace rv::cli {

/// Polls the runs without an outcome, which records the ends of those that are over, and lists all runs again into
/// `list`. On a full disk rv's caches are removed to make room for the records. Returns the IDs of runs that are over
/// and whose end still could not be recorded.
std::vector<std::string> record_ends(const Settings& settings, monitor::RunList& list);

}  // namespace rv::cli
