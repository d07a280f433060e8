#include "planner/cluster/strategy.h"

#include "base/text.h"

namespace rv::planner {

std::string shape_in_words(const Strategy& strategy) {
  const std::string nodes = strategy.nodes == 1 ? "" : std::to_string(strategy.nodes) + "×";
  if (strategy.gpus_per_node == 0) {
    const std::string memory =
        strategy.memory_per_node.count > 0 ? ", " + format_memory(strategy.memory_per_node) : std::string();
    return nodes + counted(strategy.cpus_per_node, "CPU") + memory;
  }
  const std::string& title = strategy.gpu.title.empty() ? strategy.gpu.name : strategy.gpu.title;
  return nodes + std::to_string(strategy.gpus_per_node) + (strategy.nodes == 1 ? "× " : " ") + title;
}

bool refused_by_controller(const Strategy& strategy) {
  return strategy.controller && strategy.controller->outcome == TestOnlyResult::Outcome::refused;
}

std::string_view to_string(TestOnlyResult::Outcome outcome) {
  switch (outcome) {
    case TestOnlyResult::Outcome::starts:
      return "starts";
    case TestOnlyResult::Outcome::refused:
      return "refused";
    case TestOnlyResult::Outcome::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace rv::planner
