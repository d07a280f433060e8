// Slurm's gres lists and TRES lists → values.
#pragma once

#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// A node's GPUs from its Gres= and GresUsed= ("gpu:a100:8(S:0-1)", "gpu:a100:3(IDX:0-2)", "gpu:8", several with
/// commas). Other gres (nvme, mps, shard) are passed over.
std::vector<planner::GpuPool> parse_gpu_pools(std::string_view gres, std::string_view used);

/// "cpu=2,mem=104G,gres/gpu:a100=8,billing=2" → amounts, memory in MiB.
planner::Tres parse_tres(std::string_view text);

}  // namespace rv::slurm
