// A cluster for people: its GPUs by type.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::cli {

/// total = free + used + unusable.
struct GpuTypeSummary {
  planner::GpuModel model;
  int nodes = 0;
  int total = 0;
  int free = 0;
  int used = 0;
  int unusable = 0;  // not in use, on a node that starts nothing (down, drained, …)
  int pending = 0;   // requested by pending jobs that only this type can serve
  std::vector<std::string> partitions;
};

struct ClusterSummary {
  std::vector<GpuTypeSummary> types;  // by name
  int pending_any_type = 0;           // requested by pending jobs that several types could serve
};

ClusterSummary summarise(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue);

/// GPUs by type that this user's running jobs have, as far as it is clear which type those are.
std::map<std::string, int> gpus_of(const planner::DatabaseName& user, const planner::Cluster& cluster,
                                   const planner::GpuCatalogue& catalogue);

/// The types as an array: gpu_type, nodes, total, free, used, unusable, pending, vram_mb, partitions. What is unknown
/// is null.
nlohmann::ordered_json gpu_rows_json(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue);

/// Table and remarks; ends with a newline.
std::string cluster_table(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue,
                          const os::Terminal& terminal);

}  // namespace rv::cli
