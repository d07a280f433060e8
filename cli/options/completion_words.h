// Completions for a value, from local files only: Slurm is not queried while the user types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::cli {

/// `kind`: "runs" (IDs and names, the newest first), "live-runs" (those that are not over), or "types", "partitions",
/// "accounts" as they were when the cluster was read last. Nothing for another kind, and if nothing is known. Only
/// words without a special meaning in a shell: a name may contain any byte.
std::vector<std::string> completion_words(const std::string& home, std::string_view kind);

/// Stores the names of a cluster for that, in `home`/cache/names. An error affects only the completion.
void remember_names(const std::string& home, const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue);

/// rv --words KIND: one word a line. `home` is $RV_HOME, else $HOME/.rv. The exit code.
int print_completion_words(std::string_view kind);

}  // namespace rv::cli
