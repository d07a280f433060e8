// Slurm's choice among nodes that are free for a job.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rv::planner {

/// Free CPUs of a node, and the node.
using FreeNode = std::pair<int, int>;

/// Returns where the choice of `wanted` nodes begins in `free`, which is ordered by node: of the runs of neighbouring
/// nodes that suffice, the one with the fewest free CPUs, else 0 (_eval_nodes() in cons_tres/job_test.c).
/// `positions`: by node, its place in the snapshot.
std::size_t begin_of_choice(const std::vector<FreeNode>& free, std::size_t wanted, const std::vector<int>& positions);

}  // namespace rv::planner
