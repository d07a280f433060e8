#include "cli/views/gpus_asked.h"

#include <algorithm>
#include <string_view>

#include "shared/number.h"

namespace rv::cli {

namespace {

/// "gres:gpu:a100:2", "gres/gpu:2", "gpu:a100" per node.
std::vector<AskedGpus> asked_per_node(std::string_view text, int nodes) {
  std::vector<AskedGpus> asked;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string_view item = text.substr(begin, comma - begin);
    begin = comma + 1;
    const std::size_t gpu = item.find("gpu");
    if (gpu == std::string_view::npos) continue;
    item.remove_prefix(std::min(item.size(), gpu + 4));
    AskedGpus one{"", 1};
    const std::size_t colon = item.rfind(':');
    const std::string_view last = colon == std::string_view::npos ? item : item.substr(colon + 1);
    const auto counted = number_in<int>(last);
    one.gpus = counted.value_or(1);
    one.type = counted ? (colon == std::string_view::npos ? "" : item.substr(0, colon)) : item;
    one.gpus *= nodes;
    asked.push_back(one);
  }
  return asked;
}

}  // namespace

std::vector<AskedGpus> gpus_asked(const planner::QueuedJob& job) {
  std::vector<AskedGpus> per_node = asked_per_node(job.gres_per_node, job.nodes);
  std::vector<AskedGpus> asked;
  std::int64_t typed = 0;
  for (const auto& [name, gpus] : job.requested) {
    if (!name.starts_with(planner::typed_gpu)) continue;
    asked.push_back({name.substr(planner::typed_gpu.size()), gpus});
    typed += gpus;
  }
  const std::int64_t all = planner::gpu_count(job.requested);
  if (asked.empty() && !per_node.empty()) return per_node;  // sites that do not track types still show what was typed
  if (all > typed) asked.push_back({"", all - typed});
  return asked;
}

}  // namespace rv::cli
