#include "planner/strategies/enumerate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "planner/strategies/known_names.h"
#include "planner/strategies/merge.h"
#include "planner/strategies/node_counts.h"
#include "planner/strategies/partition_strategies.h"
#include "planner/strategies/type_match.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Windows by model name, whatever word they were given under.
std::map<std::string, seconds> windows_by_model(const ClusterIndex& index, const GpuCatalogue& catalogue,
                                                const Request& request) {
  std::map<std::string, seconds> windows;
  for (const auto& [word, window] : request.windows) {
    if (word == "*") continue;
    for (const std::string& model : match_types({word}, catalogue, index.models, "--window").models) {
      windows[model] = window;
    }
  }
  return windows;
}

std::optional<seconds> window_for(const std::map<std::string, seconds>& by_model, const Request& request,
                                  const std::string& model) {
  if (const auto own = by_model.find(model); own != by_model.end()) return own->second;
  if (const auto any = request.windows.find("*"); any != request.windows.end()) return any->second;
  return std::nullopt;
}

/// Why this model is rejected in every partition; empty: it is not. Nullopt: it is, and not worth a line.
std::optional<std::string> model_refusal(const GpuModel& model, const Request& request, bool named) {
  if (request.mig && !model.mig) {
    if (!named) return std::nullopt;
    return "it is not a MIG slice, and --mig requests one";
  }
  if (model.mig && request.gpus > 1) {
    if (!named) return std::nullopt;
    return "a job can use one MIG slice; you asked for " + std::to_string(request.gpus);
  }
  if (request.vram && !model.vram) {
    return "VRAM unknown; you asked for " + format_memory(*request.vram) + " (it can be set in a settings file)";
  }
  if (request.vram && *model.vram < *request.vram) {
    return "has " + format_memory(*model.vram) + " VRAM; you asked for " + format_memory(*request.vram);
  }
  if (model.mig && !named && !request.mig && !request.vram) {
    return "MIG slices are used only with --mig, their own --type or a --vram that fits them";
  }
  return "";
}

void drop_repeats(std::vector<Rejection>& rejected) {
  std::set<std::pair<std::string, std::string>> said;
  std::erase_if(rejected, [&](const Rejection& one) { return !said.insert({one.gpu_type, one.reason}).second; });
}

/// Models that were wanted and stand in none of the partitions that were looked at.
void explain_elsewhere(Plan& plan, const ClusterIndex& index, const Request& request,
                       const std::vector<std::string>& wanted, const std::set<std::string>& looked_at) {
  for (const std::string& model : wanted) {
    if (looked_at.contains(model)) continue;
    std::vector<std::string> places;
    for (const ModelInPartition& model_in_partition : index.models_in_partitions) {
      if (model_in_partition.model.name == model && !contains(places, model_in_partition.partition->name)) {
        places.push_back(model_in_partition.partition->name);
      }
    }
    plan.rejected.push_back(
        {model, places.empty() ? "its nodes are not in any partition that you can see"
                               : "not in " + listed(request.partitions) + " (it is in " + listed(places) + ")"});
  }
}

/// What nodes that Slurm does not show might have, nobody knows.
void explain_hidden(Plan& plan, const Cluster& cluster) {
  std::string words;
  for (const auto& [partition, count] : cluster.hidden_nodes()) {
    words += (words.empty() ? "; unknown: " : ", ") + counted(count, "node") + " of " + partition;
  }
  if (words.empty()) return;
  words += ", which Slurm does not show while they are powered off";
  for (Rejection& rejection : plan.rejected) rejection.reason += words;
}

void explain_nothing(Plan& plan, const ClusterIndex& index, const Request& request) {
  if (!plan.strategies.empty() || !plan.rejected.empty()) return;
  if (request.gpus == 0) {
    plan.rejected.push_back({"", request.partitions.empty() ? "the partitions that you can see have no nodes"
                                                            : listed(request.partitions) + " has no nodes"});
  } else if (index.models.empty()) {
    plan.rejected.push_back({"any", "this cluster has no GPU nodes"});
  } else if (request.mig) {
    plan.rejected.push_back({"mig", "no node in these partitions has MIG slices"});
  } else if (request.partitions.empty()) {
    plan.rejected.push_back({"any", "the partitions that you can see have no GPUs, or only MIG slices"});
  } else {
    plan.rejected.push_back({"any", "no GPUs in " + listed(request.partitions) + ", or only MIG slices"});
  }
  explain_hidden(plan, *index.cluster);
}

/// Every partition with its nodes, as though they had one model of GPU of which none is asked for.
Plan cpu_plan(const ClusterIndex& index, const Request& request) {
  check_names(*index.cluster, request);
  Plan plan;
  for (const ModelInPartition& partition : index.cpu_partitions) {
    if (!request.partitions.empty() && !contains(request.partitions, partition.partition->name)) continue;
    add_partition_strategies(plan, index, partition, request, node_counts(request), window_for({}, request, ""));
  }
  explain_nothing(plan, index, request);
  merge_partitions(plan.strategies, *index.cluster);
  drop_repeats(plan.rejected);
  return plan;
}

}  // namespace

std::vector<const ModelInPartition*> requested_models(const ClusterIndex& index, const Request& request,
                                                      const std::vector<std::string>& named) {
  std::vector<const ModelInPartition*> requested;
  for (const ModelInPartition& one : index.models_in_partitions) {
    const bool type = request.types.empty() || contains(named, one.model.name);
    const bool partition = request.partitions.empty() || contains(request.partitions, one.partition->name);
    if (type && partition) requested.push_back(&one);
  }
  return requested;
}

Plan enumerate(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request) {
  const std::vector<int> counts = node_counts(request);
  if (request.gpus == 0) return cpu_plan(index, request);
  if (request.mig && request.gpus != 1) {
    throw Error("--mig gives one slice of a GPU and can't be combined with --gpu " + std::to_string(request.gpus),
                "leave out --mig, or use --gpu 1", ExitCode::usage);
  }
  check_names(*index.cluster, request);
  TypeMatch types = match_types(request.types, catalogue, index.models);
  const std::map<std::string, seconds> windows = windows_by_model(index, catalogue, request);

  Plan plan;
  plan.rejected = std::move(types.absent);
  explain_hidden(plan, *index.cluster);
  std::set<std::string> looked_at;
  for (const ModelInPartition* model_in_partition : requested_models(index, request, types.models)) {
    const std::string& name = model_in_partition->model.name;
    looked_at.insert(name);
    const std::optional<std::string> refusal =
        model_refusal(model_in_partition->model, request, contains(types.models, name));
    if (!refusal) continue;
    if (refusal->empty()) {
      add_partition_strategies(plan, index, *model_in_partition, request, counts, window_for(windows, request, name));
    } else {
      plan.rejected.push_back({name, *refusal});
    }
  }
  explain_elsewhere(plan, index, request, types.models, looked_at);
  explain_nothing(plan, index, request);
  merge_partitions(plan.strategies, *index.cluster);
  drop_repeats(plan.rejected);
  return plan;
}

Plan enumerate(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request) {
  return enumerate(index_cluster(cluster, catalogue), catalogue, request);
}

}  // namespace rv::planner
