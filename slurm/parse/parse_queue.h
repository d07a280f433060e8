// Parses the whole queue, for a plan.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Returns the argument for `squeue -O`: fields that every release since 20.11 has, then the field Exclusive, then the
/// name. Fields are separated by unit separators, because "|" occurs in features; a record separator ends the name.
/// Only later releases have Exclusive: others print a message on stderr and answer the rest. These others do not report
/// excluded nodes either.
std::string queue_format();

/// Reads the output of `squeue -h -O <queue_format()>`, with or without names. Rows with another number of columns are
/// skipped.
std::vector<planner::QueuedJob> parse_queue(std::string_view text);

/// Returns the number of tasks that an ID stands for: 6 for "123_[5-9,12%2]", 1 for "123_4" and "123".
int count_array_tasks(std::string_view id);

}  // namespace rv::slurm
