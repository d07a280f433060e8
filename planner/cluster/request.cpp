#include "planner/cluster/request.h"

#include "base/text.h"

namespace rv::planner {
namespace {

std::string memory_in_words(const Request& request) {
  if (!request.memory) return {};
  return request.memory->count == 0 ? ", all memory" : ", " + format_memory(*request.memory);
}

}  // namespace

std::string asked_in_words(const Request& request) {
  if (request.gpus > 0) return counted(request.gpus, "GPU");
  const int nodes = request.nodes.value_or(1);
  return (nodes > 1 ? counted(nodes, "node") + " of " : std::string()) + counted(request.cpus.value_or(1), "CPU") +
         memory_in_words(request);
}

}  // namespace rv::planner
