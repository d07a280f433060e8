// What a shell may offer for a value, from local files alone: no question to Slurm while somebody types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::cli {

/// `kind`: "runs" (IDs and names, the newest first), "live-runs" (those that are not over), or "types", "partitions",
/// "accounts" as they were when the cluster was read last. Nothing for another kind and where nothing is known. Only
/// words that no shell takes for anything else: a name may hold any byte.
std::vector<std::string> completion_words(const std::string& home, std::string_view kind);

/// Keeps the names of a cluster for that, in `home`/cache/names. Trouble costs the completion, nothing else.
void remember_names(const std::string& home, const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue);

/// rv --words KIND: one word a line. `home` is $RV_HOME, else $HOME/.rv. The exit code.
int print_completion_words(std::string_view kind);

}  // namespace rv::cli
