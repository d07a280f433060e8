// Nodes that a --constraint, an --exclude and a --nodelist leave.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/feature_expression.h"

namespace rv::planner {

class NodeFilter {
 public:
  /// No `nodelist`: every node. One with fewer than the job's `nodes` is part of them: the others may be any.
  NodeFilter(const std::string& constraint, const std::vector<std::string>& exclude,
             const std::vector<std::string>& nodelist, int nodes = 0)
      : features_(constraint), excluded_(exclude.begin(), exclude.end()) {
    auto& names = static_cast<int>(nodelist.size()) < nodes ? required_ : only_;
    names.insert(nodelist.begin(), nodelist.end());
  }

  /// False: the constraint has a form that is not known here, and passes() looks at the nodes' names alone.
  bool readable() const { return features_.readable(); }
  /// False: nodes that pass need not go together.
  bool node_by_node() const { return features_.node_by_node(); }
  bool passes(const Node& node) const {
    return !excluded_.contains(node.name) && (only_.empty() || only_.contains(node.name)) &&
           features_.fits(node.features);
  }
  /// True for a node that has to be among the job's, of which others may be any.
  bool requires_node(const Node& node) const { return required_.contains(node.name); }
  /// Whether all nodes that have to be among the job's are among these.
  bool has_required(const std::vector<const Node*>& nodes) const {
    const auto found =
        std::count_if(nodes.begin(), nodes.end(), [&](const Node* node) { return requires_node(*node); });
    return found == static_cast<std::ptrdiff_t>(required_.size());
  }
  /// Whether some `count` of these nodes, which pass, can be one job's: they must be under one top switch.
  bool together(const std::vector<const Node*>& nodes, int count) const {
    const bool one_tree = std::all_of(nodes.begin(), nodes.end(),
                                      [&](const Node* node) { return node->top_switch == nodes.front()->top_switch; });
    if (one_tree || count < 2) return under_one_switch(nodes, count);
    std::map<std::string_view, std::vector<const Node*>> by_switch;
    for (const Node* node : nodes) by_switch[node->top_switch].push_back(node);
    return std::any_of(by_switch.begin(), by_switch.end(),
                       [&](const auto& group) { return under_one_switch(group.second, count); });
  }

 private:
  bool under_one_switch(const std::vector<const Node*>& nodes, int count) const {
    if (!has_required(nodes)) return false;
    if (features_.node_by_node()) return static_cast<int>(nodes.size()) >= count;
    std::vector<const FeatureExpression::Features*> features;
    features.reserve(nodes.size());
    for (const Node* node : nodes) features.push_back(&node->features);
    return static_cast<int>(nodes.size()) >= count && features_.together(features, count);
  }

  FeatureExpression features_;
  std::unordered_set<std::string> excluded_, only_, required_;
};

}  // namespace rv::planner
