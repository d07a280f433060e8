#include "planner/replay/model/job_demand.h"

#include <algorithm>
#include <charconv>

#include "planner/sharing/node_tenants.h"

namespace rv::planner {

namespace {

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::int64_t shared_out(std::int64_t total, int nodes) {
  return (total + nodes - 1) / nodes;
}

/// Adds one word of a gres list ("gres:gpu:a100:2"); other gres than GPUs are passed over.
void add_gres(GpuDemand& demand, std::string_view word) {
  for (const std::string_view prefix : {"gres:", "gres/"}) {
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  }
  if (!word.starts_with("gpu")) return;
  word.remove_prefix(3);
  word = word.substr(0, word.find('('));
  int count = 1;
  DatabaseName type;
  while (!word.empty() && (word.front() == ':' || word.front() == '=')) {
    word.remove_prefix(1);
    const std::string_view part = word.substr(0, word.find_first_of(":="));
    if (is_number(part)) {
      count = static_cast<int>(number(part));
    } else {
      type = part;
    }
    word.remove_prefix(part.size());
  }
  if (demand.count > 0 && demand.type != type) demand.several_types = true;
  if (demand.type.empty()) demand.type = type;
  demand.count += count;
}

}  // namespace

GpuDemand gpu_demand(const QueuedJob& job) {
  GpuDemand demand;
  std::string_view rest = job.gres_per_node;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    add_gres(demand, word);
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  if (demand.count > 0) return demand;
  const int nodes = std::max(job.nodes, 1);
  for (auto it = job.requested.lower_bound(typed_gpu); it != job.requested.end() && it->first.starts_with(typed_gpu);
       ++it) {
    if (it->second <= 0) continue;
    if (demand.count > 0) demand.several_types = true;
    if (demand.count == 0) demand.type = it->first.substr(typed_gpu.size());
  }
  demand.count = static_cast<int>(shared_out(gpu_count(job.requested), nodes));
  return demand;
}

int cpu_demand(const QueuedJob& job) {
  return cpus_on_each_node(job);
}

std::int64_t memory_demand(const QueuedJob& job) {
  if (const auto total = amount(job.requested, "mem")) return shared_out(*total, std::max(job.nodes, 1));
  if (!job.min_memory) return 0;
  return job.min_memory->count * (job.min_memory_is_per_cpu ? cpu_demand(job) : 1);
}

std::int64_t base_id(std::string_view id) {
  return number(id);
}

std::int64_t array_index(std::string_view id) {
  const std::size_t mark = id.find('_');
  return mark == std::string_view::npos ? 0 : number(id.substr(mark + 1));
}

int array_throttle(std::string_view id) {
  const std::size_t mark = id.find('%');
  return mark == std::string_view::npos ? 0 : static_cast<int>(number(id.substr(mark + 1)));
}

}  // namespace rv::planner
