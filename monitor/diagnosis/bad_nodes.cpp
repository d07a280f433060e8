#include "monitor/diagnosis/bad_nodes.h"

#include <algorithm>
#include <string_view>

#include "slurm/parse/hostlist.h"

namespace rv::monitor {

void blame(Diagnosis& diagnosis, const std::string& node) {
  if (node.empty()) return;
  auto& nodes = diagnosis.bad_nodes;
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

void blame_failed_nodes(Diagnosis& diagnosis, const RunEvidence& evidence) {
  constexpr std::string_view before = "Node failure on ";
  for (const auto& log : evidence.logs) {
    for (const auto& line : log.lines) {
      const auto at = line.find(before);
      if (at == std::string::npos) continue;
      const auto rest = std::string_view(line).substr(at + before.size());
      for (const auto& node : slurm::expand_hostlist(rest.substr(0, rest.find_first_of(" \r")))) blame(diagnosis, node);
    }
  }
}

void blame_node_of(Diagnosis& diagnosis, const Finding& finding) {
  constexpr std::string_view before = " failed on node ";
  const auto at = finding.failure.text.find(before);
  if (at == std::string::npos) return blame(diagnosis, finding.log->node);
  const auto rest = std::string_view(finding.failure.text).substr(at + before.size());
  for (const auto& node : slurm::expand_hostlist(rest.substr(0, rest.find_first_of(": \r")))) blame(diagnosis, node);
}

void blame_only_node(Diagnosis& diagnosis, const RunEvidence& evidence) {
  const auto nodes = slurm::expand_hostlist(evidence.view.nodes);
  if (nodes.size() == 1) blame(diagnosis, nodes.front());
}

}  // namespace rv::monitor
