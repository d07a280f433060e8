#include "monitor/jobs/nodes_in_brief.h"

#include <fmt/format.h>

#include <algorithm>

#include "slurm/parse/hostlist.h"

namespace rv::monitor {

std::string nodes_in_brief(const RunView& view) {
  const auto names = slurm::expand_hostlist(view.nodes);
  if (names.empty()) return "";
  std::size_t nodes = names.size();
  if (const auto* winner = winner_of(view)) {
    nodes = std::max(nodes, static_cast<std::size_t>(std::max(winner->candidate.nodes, 1)));
  }
  if (nodes == 1) return names.front();
  return fmt::format("{} and {} more node{}", names.front(), nodes - 1, nodes == 2 ? "" : "s");
}

}  // namespace rv::monitor
