// Nodes that a --constraint and an --exclude leave.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "planner/cluster.h"
#include "planner/feature_expression.h"

namespace rv::planner {

class NodeFilter {
 public:
  NodeFilter(const std::string& constraint, const std::vector<std::string>& exclude)
      : features_(constraint), excluded_(exclude.begin(), exclude.end()) {}

  /// False: the constraint can't be decided node by node, and passes() looks at the excluded nodes alone.
  bool exact() const { return features_.decidable(); }
  bool passes(const Node& node) const { return !excluded_.contains(node.name) && features_.fits(node.features); }

 private:
  FeatureExpression features_;
  std::unordered_set<std::string> excluded_;
};

}  // namespace rv::planner
