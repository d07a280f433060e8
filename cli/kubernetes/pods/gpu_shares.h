// Whether the GPUs that a node offers are whole ones.
#pragma once

#include <optional>
#include <string>

#include "cli/kubernetes/pods/cluster_facts.h"

namespace rv::kubernetes {

/// Several pods use one GPU, or a slice of it is a pod's own.
struct GpuShares {
  std::string by;              // "time-slicing", "MPS", "HAMi", "MIG 1g.5gb"; "sharing" where the node does not say how
  bool slices = false;         // MIG: each has its own memory and processors
  std::optional<int> per_gpu;  // nothing: not known
  std::optional<int> gpus;     // that are behind them
};

/// Returns how `resource` of the node is shared, or nothing where its units are whole GPUs as far as the node says: by
/// the labels of NVIDIA's GPU feature discovery and of Google's node pools, and by HAMi's annotation.
std::optional<GpuShares> gpu_shares(const Node& node, const std::string& resource);

/// "8 shares of 1", "7 slices".
std::string shown(const GpuShares& shares, int units);

}  // namespace rv::kubernetes
