// The nodes with GPUs of a cluster, and who holds and waits for GPUs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::cli {

/// Names of GPU models; empty: all.
using ModelNames = std::vector<std::string>;

/// The GPUs of one model on one node.
struct NodeGpus {
  const planner::Node* node = nullptr;
  std::string gpu_type;
  int total = 0;
  int free = 0;  // 0 on a node that starts nothing
};

/// By type, then in the order of the cluster.
std::vector<NodeGpus> node_gpus(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue,
                                const ModelNames& types);

/// The GPUs that one user's jobs hold and wait for. Jobs without GPUs don't count; each array element counts.
struct UserGpus {
  planner::DatabaseName user;
  int running_jobs = 0;
  int held = 0;
  int waiting_jobs = 0;
  int asked = 0;                         // by the waiting jobs
  std::map<std::string, int> held_type;  // of the held ones, those whose type is certain
};

/// Those who hold most first. `types`: only GPUs that are certainly of these types, and jobs that may get one of them.
std::vector<UserGpus> user_gpus(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue,
                                const ModelNames& types);

/// Tables; each ends with a newline.
std::string nodes_table(const std::vector<NodeGpus>& nodes, const os::Terminal& terminal);
std::string users_table(const std::vector<UserGpus>& users, const planner::Cluster& cluster,
                        const os::Terminal& terminal);

/// Arrays (docs/json.md).
nlohmann::ordered_json nodes_json(const std::vector<NodeGpus>& nodes);
nlohmann::ordered_json users_json(const std::vector<UserGpus>& users);

}  // namespace rv::cli
