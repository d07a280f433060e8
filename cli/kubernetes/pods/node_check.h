// Whether the nodes could take an acceptance's pods, and why those that could not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/kubernetes/pods/cluster_facts.h"
#include "cli/kubernetes/pods/gpu_shares.h"
#include "cli/kubernetes/pods/job_order.h"

namespace rv::kubernetes {

struct NodeCheck {
  std::string node;
  std::string model;                  // as GPU feature discovery labels it; empty: no label
  bool shows_gpus = false;            // by a label or by its capacity
  int capacity = 0, allocatable = 0;  // of the GPU resource, by the device plugin
  std::optional<GpuShares> shares;    // the GPUs are shares of one, not whole
  std::optional<int> used;            // requested by pods; nothing: the pods are not known
  std::vector<Taint> taints;
  std::vector<std::string> reasons;  // why it would not take a pod; empty: it would
};

struct WaitingPod {
  std::string space, name, why;
};

struct ClusterCheck {
  std::vector<NodeCheck> nodes;     // by name
  std::vector<WaitingPod> waiting;  // pods that want GPUs and were not scheduled, in the scheduler's own words
  bool pods_known = false;
  int wanted = 0, would_take = 0;  // pods, nodes
  bool fits() const { return would_take >= wanted; }
};

ClusterCheck check_cluster(const ClusterFacts& facts, const JobOrder& order);

nlohmann::ordered_json to_json(const ClusterCheck& check, const JobOrder& order);

}  // namespace rv::kubernetes
