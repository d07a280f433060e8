// Nodes that a --constraint, an --exclude and a --nodelist leave.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/feature_expression.h"

namespace rv::planner {

class NodeFilter {
 public:
  /// No `nodelist`: every node.
  NodeFilter(const std::string& constraint, const std::vector<std::string>& exclude,
             const std::vector<std::string>& nodelist)
      : features_(constraint), excluded_(exclude.begin(), exclude.end()), only_(nodelist.begin(), nodelist.end()) {}

  /// False: the constraint can't be decided node by node, and passes() looks at the nodes' names alone.
  bool exact() const { return features_.decidable(); }
  bool passes(const Node& node) const {
    return !excluded_.contains(node.name) && (only_.empty() || only_.contains(node.name)) &&
           features_.fits(node.features);
  }

 private:
  FeatureExpression features_;
  std::unordered_set<std::string> excluded_, only_;
};

}  // namespace rv::planner
