// The whole queue, for planning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// The argument for `squeue -O`: fields that every release from 20.11 on has, apart by a unit separator ("|" occurs in
/// OR-ed features), then the name, with a record separator behind it. The one before it, Exclusive, is of later
/// releases; squeue says so on stderr where it is unknown, and answers the rest. Excluded nodes can't be asked for
/// before that either.
std::string queue_format();

/// Output of `squeue -h -O <queue_format()>`, with or without the names. Rows with another number of columns are passed
/// over.
std::vector<planner::QueuedJob> parse_queue(std::string_view text);

/// "123_[5-9,12%2]" → 6; "123_4" and "123" → 1.
int count_array_tasks(std::string_view id);

}  // namespace rv::slurm
