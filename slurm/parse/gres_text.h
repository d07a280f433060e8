// Parses Slurm's lists of gres and of TRES.
#pragma once

#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Reads a node's GPUs from its Gres= and GresUsed= ("gpu:a100:8(S:0-1)", "gpu:a100:3(IDX:0-2)", "gpu:8", several with
/// commas). A GPU counts as used if shards of it, or a share of MPS, are in use: Slurm then does not give the whole GPU
/// to a job ("shard:a100:1(IDX:0)", from 23.02 on "shard:a100:3(3/4,0/4)"). Other gres are ignored.
std::vector<planner::GpuPool> parse_gpu_pools(std::string_view gres, std::string_view used);

/// Reads amounts from "cpu=2,mem=104G,gres/gpu:a100=8,billing=2"; memory is in MiB.
planner::Tres parse_tres(std::string_view text);

}  // namespace rv::slurm
