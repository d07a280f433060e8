// What `kubectl get nodes,pods -A -o json` says, as far as GPUs are concerned.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/kubernetes/pods/resources.h"

namespace rv::kubernetes {

struct Taint {
  std::string key, value, effect;
};

struct Node {
  std::string name;
  bool ready = false;
  bool cordoned = false;
  std::map<std::string, std::string> labels, annotations;
  std::vector<Taint> taints;
  Amounts capacity, allocatable;
};

struct PodFacts {
  std::string space, name, node;  // no node: it waits
  std::string phase;
  std::map<std::string, std::string> labels;
  Amounts requests;           // as the scheduler counts them
  std::string unschedulable;  // the scheduler's own words
  bool over() const { return phase == "Succeeded" || phase == "Failed"; }
};

struct ClusterFacts {
  std::vector<Node> nodes;
  std::optional<std::vector<PodFacts>> pods;  // nothing: not known, which is not the same as none
};

/// Throws Error(usage), naming `from`, for text that is not such a list.
ClusterFacts cluster_facts(const std::string& text, const std::string& from);

/// The pods of a list, which may be empty. Throws Error(usage), naming `from`, for text that is not a list.
std::vector<PodFacts> pods_of(const std::string& text, const std::string& from);

}  // namespace rv::kubernetes
