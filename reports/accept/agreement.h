// What must be the same on all nodes.
#pragma once

#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// Findings where driver, CUDA, cuBLAS or NCCL versions, kernels, firmware, BIOS, processors or memory differ between
/// nodes (the nodes with the rarer value are named), where a node shows another number of GPUs than ordered, where GPU
/// models differ, or where one GPU is shown by two nodes. GPUs are not counted on the CPU.
std::vector<Finding> find_disagreements(const Order& order, const std::vector<NodeEvidence>& evidence);

}  // namespace rv::accept
