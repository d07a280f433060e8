// The nodes that satisfy --constraint, --exclude and --nodelist.
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
  /// An empty `nodelist` allows every node. If it has fewer than `nodes` names, the job needs these nodes and may use
  /// any others.
  NodeFilter(const std::string& constraint, const std::vector<std::string>& exclude,
             const std::vector<std::string>& nodelist, int nodes = 0)
      : features_(constraint), excluded_(exclude.begin(), exclude.end()) {
    auto& names = static_cast<int>(nodelist.size()) < nodes ? required_ : only_;
    names.insert(nodelist.begin(), nodelist.end());
  }

  /// False if rv does not know the form of the constraint: passes() then checks only the names of nodes.
  bool readable() const { return features_.readable(); }
  /// False if nodes that each pass may not satisfy the constraint together.
  bool node_by_node() const { return features_.node_by_node(); }
  bool passes(const Node& node) const {
    return !excluded_.contains(node.name) && (only_.empty() || only_.contains(node.name)) &&
           features_.fits(node.features);
  }
  /// Whether the job must have this node besides others.
  bool requires_node(const Node& node) const { return required_.contains(node.name); }
  /// Whether `nodes` include all nodes that the job must have.
  bool has_required(const std::vector<const Node*>& nodes) const {
    const auto found =
        std::count_if(nodes.begin(), nodes.end(), [&](const Node* node) { return requires_node(*node); });
    return found == static_cast<std::ptrdiff_t>(required_.size());
  }
  /// Whether one job can use `count` of these nodes, which all pass: they must be under one top switch.
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
