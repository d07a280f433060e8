#include "planner/strategies/resources.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace rv::planner {

namespace {

constexpr std::int64_t gib = 1024;

/// What every one of the places can give.
struct Smallest {
  int cpus = std::numeric_limits<int>::max();
  int cpus_per_gpu = std::numeric_limits<int>::max();
  std::int64_t node_memory = std::numeric_limits<std::int64_t>::max();  // MiB
  std::int64_t memory = std::numeric_limits<std::int64_t>::max();       // 90 % of it
  std::int64_t share = std::numeric_limits<std::int64_t>::max();        // of that, for these GPUs
};

Smallest smallest_of(const std::vector<const NodeGpus*>& places, int gpus) {
  Smallest least;
  for (const NodeGpus* place : places) {
    const int node_gpus = std::max(place->node_gpus, 1);
    const std::int64_t memory = place->node->memory.count * DefaultShare::percent_of_memory / 100;
    least.cpus = std::min(least.cpus, place->node->cpus);
    least.cpus_per_gpu = std::min(least.cpus_per_gpu, place->node->cpus / node_gpus);
    least.node_memory = std::min(least.node_memory, place->node->memory.count);
    least.memory = std::min(least.memory, memory);
    least.share = std::min(least.share, memory * gpus / node_gpus);
  }
  return least;
}

int shrink(int wanted, const Limits::Bound& bound) {
  if (bound.limit == nullptr || bound.per_node >= wanted) return wanted;
  return static_cast<int>(std::max<std::int64_t>(bound.per_node, 1));
}

int default_cpus(const Smallest& least, bool mig, int gpus) {
  if (mig) return DefaultShare::mig_cpus * gpus;
  const int per_gpu = std::clamp(least.cpus_per_gpu, 1, DefaultShare::most_cpus_per_gpu);
  return std::max(std::min(per_gpu * gpus, least.cpus), 1);
}

std::int64_t default_memory(const Smallest& least, bool mig) {
  std::int64_t memory = least.share;
  if (mig) {
    memory = std::min(memory, DefaultShare::mig_memory.count);
  } else {
    memory = std::max(memory, std::min(DefaultShare::least_memory.count, least.memory));
  }
  return memory >= gib ? memory / gib * gib : memory;
}

/// CPUs that the user's memory needs; sets the refusal when they can't be had.
void raise_cpus(Resources& chosen, const Smallest& least, const Limits& limits, const Limits::Bound& bound,
                const Request& request) {
  const Mebibytes node_memory{least.node_memory};
  const std::int64_t cpus = cpus_for_memory(limits, request, node_memory);
  if (cpus <= chosen.cpus) return;
  const std::string needed = cpus_needed(limits, request, node_memory);
  if (bound.limit != nullptr && cpus > bound.per_node) {
    chosen.refusal = limits.partition + ": " + needed + "; " + tres_in_words("cpu", bound.limit->amount) + " " +
                     bound.limit->per + " are allowed (" + bound.limit->source + ")";
  } else if (cpus > least.cpus) {
    chosen.refusal = limits.partition + ": " + needed + "; a node has " + std::to_string(least.cpus);
  } else {
    chosen.cpus = static_cast<int>(cpus);
  }
}

/// The memory that the user named, and the CPUs that it needs.
void take_memory(Resources& chosen, const Smallest& least, const Limits& limits, const Limits::Bound& cpu_bound,
                 const Request& request) {
  chosen.all_memory = request.memory->count == 0;
  chosen.memory = chosen.all_memory ? Mebibytes{least.node_memory} : *request.memory;
  raise_cpus(chosen, least, limits, cpu_bound, request);
}

/// The default of slurmctld for a job that names no memory, MiB; nothing: there is none.
std::optional<std::int64_t> slurms_memory(const ControllerSettings& controller, const Partition& partition, int cpus) {
  if (partition.default_memory_per_cpu) return partition.default_memory_per_cpu->count * cpus;
  if (partition.default_memory_per_node) return partition.default_memory_per_node->count;
  if (controller.default_memory_per_cpu) return controller.default_memory_per_cpu->count * cpus;
  if (controller.default_memory_per_node) return controller.default_memory_per_node->count;
  return std::nullopt;
}

/// The default that a limit or MaxMemPerCPU leaves.
std::int64_t within_limits(std::int64_t memory, int cpus, int nodes, const Limits& limits) {
  if (const auto bound = limits.tightest("mem", nodes); bound.limit != nullptr)
    memory = std::min(memory, bound.per_node);
  if (limits.memory_per_cpu && limits.memory_per_cpu->most.count > 0) {
    memory = std::min(memory, cpus * limits.memory_per_cpu->most.count);
  }
  return std::max<std::int64_t>(memory, 1);  // --mem=0 would be the whole node
}

}  // namespace

std::int64_t cpus_for_memory(const Limits& limits, const Request& request, Mebibytes node_memory) {
  if (!request.memory || !limits.memory_per_cpu || limits.memory_per_cpu->most.count <= 0) return 0;
  const std::int64_t memory = request.memory->count == 0 ? node_memory.count : request.memory->count;
  const std::int64_t most = limits.memory_per_cpu->most.count;
  return (memory + most - 1) / most;
}

std::string cpus_needed(const Limits& limits, const Request& request, Mebibytes node_memory) {
  const MemoryPerCpu& rule = *limits.memory_per_cpu;
  const std::string memory =
      request.memory->count == 0 ? "all memory of a node" : format_memory(*request.memory) + " memory";
  return memory + " needs " + counted(cpus_for_memory(limits, request, node_memory), "CPU") + " (" + rule.source + " " +
         format_memory(rule.most) + ")";
}

Resources choose_resources(const std::vector<const NodeGpus*>& places, bool mig, int nodes, int gpus_per_node,
                           const Limits& limits, const Request& request) {
  const Smallest least = smallest_of(places, gpus_per_node);
  const Limits::Bound cpu_bound = limits.tightest("cpu", nodes);
  Resources chosen;
  chosen.cpus = request.cpus.value_or(shrink(default_cpus(least, mig, gpus_per_node), cpu_bound));
  if (request.memory) {
    take_memory(chosen, least, limits, cpu_bound, request);
    return chosen;
  }
  chosen.memory = {within_limits(default_memory(least, mig), chosen.cpus, nodes, limits)};
  return chosen;
}

Resources choose_cpu_resources(const std::vector<const NodeGpus*>& places, const ControllerSettings& controller,
                               const Partition& partition, int nodes, const Limits& limits, const Request& request) {
  Resources chosen;
  chosen.cpus = request.cpus.value_or(1);
  if (request.memory) {
    take_memory(chosen, smallest_of(places, 0), limits, limits.tightest("cpu", nodes), request);
    return chosen;
  }
  const auto usual = slurms_memory(controller, partition, chosen.cpus);
  if (!usual && controller.select_type_parameters.find("MEMORY") == std::string::npos) return chosen;
  std::int64_t memory = usual.value_or(std::numeric_limits<std::int64_t>::max());
  for (const NodeGpus* place : places) memory = std::min(memory, place->node->memory.count);
  chosen.memory = {within_limits(memory, chosen.cpus, nodes, limits)};
  return chosen;
}

void take_whole_nodes(Resources& chosen, const std::vector<const NodeGpus*>& places, int nodes, const Limits& limits,
                      const Request& request) {
  const Smallest least = smallest_of(places, 0);
  if (!request.cpus) chosen.cpus = std::max(chosen.cpus, shrink(least.cpus, limits.tightest("cpu", nodes)));
  if (request.memory || chosen.memory.count == 0) return;
  const std::int64_t memory = within_limits(least.node_memory, chosen.cpus, nodes, limits);
  chosen.memory = {std::max(chosen.memory.count, memory)};
  chosen.all_memory = memory == least.node_memory;
}

}  // namespace rv::planner
