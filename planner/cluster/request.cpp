#include "planner/cluster/request.h"

#include "base/text.h"

namespace rv::planner {

std::string asked_in_words(const Request& request) {
  if (request.gpus > 0) return counted(request.gpus, "GPU");
  const int nodes = request.nodes.value_or(1);
  return (nodes > 1 ? counted(nodes, "node") + " of " : std::string()) + counted(request.cpus.value_or(1), "CPU") +
         (request.memory ? ", " + format_memory(*request.memory) : std::string());
}

}  // namespace rv::planner
