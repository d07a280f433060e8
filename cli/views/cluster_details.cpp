#include "cli/views/cluster_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/table.h"
#include "base/text.h"
#include "cli/views/gpus_asked.h"

namespace rv::cli {

namespace {

using planner::Cluster;

bool is_wanted(const ModelNames& types, const std::string& name) {
  return types.empty() || contains(types, name);
}

/// Which models a job has or may get.
class Meanings {
 public:
  Meanings(const Cluster& cluster, const planner::GpuCatalogue& catalogue) {
    for (const auto& node : cluster.nodes) {
      for (const auto& pool : node.gpus) {
        const Pool one{planner::DatabaseName(pool.type), planner::identify(catalogue, node, pool).name};
        nodes_[node.name].push_back(one);
        for (const auto& partition : node.partitions) partitions_[partition].insert({one.type.key(), one.model});
      }
    }
  }

  std::set<std::string> of(const planner::QueuedJob& job, const AskedGpus& asked) const {
    std::set<std::string> models;
    const auto take = [&](const std::string& type_key, const std::string& model) {
      if (asked.type.empty() || asked.type.key() == type_key) models.insert(model);
    };
    for (const auto& name : job.node_names) {
      const auto found = nodes_.find(name);
      if (found == nodes_.end()) continue;
      for (const auto& pool : found->second) take(pool.type.key(), pool.model);
    }
    if (!job.node_names.empty()) return models;
    for (const auto& name : job.partitions) {
      const auto found = partitions_.find(name);
      if (found == partitions_.end()) continue;
      for (const auto& [type_key, model] : found->second) take(type_key, model);
    }
    return models;
  }

 private:
  struct Pool {
    planner::DatabaseName type;
    std::string model;
  };
  std::unordered_map<std::string_view, std::vector<Pool>> nodes_;
  std::unordered_map<std::string_view, std::set<std::pair<std::string, std::string>>> partitions_;  // gres type, model
};

void count_running(UserGpus& user, const planner::QueuedJob& job, const Meanings& meanings, const ModelNames& types) {
  int held = 0;
  for (const auto& asked : gpus_asked(job)) {
    const auto models = meanings.of(job, asked);
    const bool is_certain = models.size() == 1;
    if (!types.empty() && !(is_certain && contains(types, *models.begin()))) continue;
    held += static_cast<int>(asked.gpus);
    if (is_certain) user.held_type[*models.begin()] += static_cast<int>(asked.gpus);
  }
  if (held == 0) return;
  ++user.running_jobs;
  user.held += held;
}

void count_waiting(UserGpus& user, const planner::QueuedJob& job, const Meanings& meanings, const ModelNames& types) {
  const int tasks = std::max(1, job.array_tasks);
  int gpus = 0;
  for (const auto& asked : gpus_asked(job)) {
    const auto models = meanings.of(job, asked);
    const bool fits = types.empty() || std::any_of(models.begin(), models.end(),
                                                   [&](const std::string& model) { return contains(types, model); });
    if (fits) gpus += static_cast<int>(asked.gpus);
  }
  if (gpus == 0) return;
  user.waiting_jobs += tasks;
  user.asked += tasks * gpus;
}

std::string types_text(const UserGpus& user) {
  std::vector<std::string> words;
  for (const auto& [type, gpus] : user.held_type) words.push_back(fmt::format("{}× {}", gpus, type));
  return listed(words);
}

}  // namespace

std::vector<NodeGpus> node_gpus(const Cluster& cluster, const planner::GpuCatalogue& catalogue,
                                const ModelNames& types) {
  std::vector<NodeGpus> rows;
  for (const auto& node : cluster.nodes) {
    const std::size_t first = rows.size();
    for (const auto& pool : node.gpus) {
      const auto model = planner::identify(catalogue, node, pool).name;
      if (!is_wanted(types, model)) continue;
      auto row = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                              [&](const NodeGpus& one) { return one.gpu_type == model; });
      if (row == rows.end()) row = rows.insert(rows.end(), {&node, model, 0, 0});
      row->total += pool.total;
      if (node.state.usable()) row->free += std::max(0, pool.total - pool.used);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const NodeGpus& a, const NodeGpus& b) { return a.gpu_type < b.gpu_type; });
  return rows;
}

std::vector<UserGpus> user_gpus(const Cluster& cluster, const planner::GpuCatalogue& catalogue,
                                const ModelNames& types) {
  const Meanings meanings(cluster, catalogue);
  std::map<planner::DatabaseName, UserGpus> by_user;
  for (const auto& job : cluster.jobs) {
    UserGpus& user = by_user[job.user];
    user.user = job.user;
    if (job.state == "PENDING") {
      count_waiting(user, job, meanings, types);
    } else if (!job.node_names.empty()) {
      count_running(user, job, meanings, types);
    }
  }
  std::vector<UserGpus> users;
  for (auto& [name, user] : by_user) {
    if (user.running_jobs + user.waiting_jobs > 0) users.push_back(std::move(user));
  }
  std::stable_sort(users.begin(), users.end(), [](const UserGpus& a, const UserGpus& b) {
    return a.held == b.held ? a.asked > b.asked : a.held > b.held;
  });
  return users;
}

std::string nodes_table(const std::vector<NodeGpus>& nodes, const os::Terminal& terminal) {
  if (nodes.empty()) return "No node has such a GPU.\n";
  Table table;
  table.column("node");
  table.column("GPU type");
  for (const char* title : {"GPUs", "free", "CPUs free", "memory free"}) table.column(title, Table::Align::right);
  table.column("state");
  table.column("partitions");
  table.column("reason");
  for (const auto& row : nodes) {
    const auto& node = *row.node;
    table.row({node.name, row.gpu_type, std::to_string(row.total), std::to_string(row.free),
               std::to_string(std::max(0, node.cpus - node.cpus_used)),
               format_memory(Mebibytes{std::max<std::int64_t>(0, node.memory.count - node.memory_used.count)}),
               lower(to_text(node.state)), joined(node.partitions), one_line(node.reason)});
  }
  return table.text(terminal.table_width(), terminal.colour);
}

std::string users_table(const std::vector<UserGpus>& users, const Cluster& cluster, const os::Terminal& terminal) {
  const std::string hidden =
      cluster.queue_known() ? "" : "The site hides other users' jobs (PrivateData): this counts what it shows.\n";
  if (users.empty()) return "No job holds or asks for such a GPU.\n" + hidden;
  Table table;
  table.column("user");
  for (const char* title : {"GPUs", "jobs", "waiting GPUs", "waiting jobs"}) table.column(title, Table::Align::right);
  table.column("holds");
  for (const auto& user : users) {
    table.row({one_line(user.user.text()), std::to_string(user.held), std::to_string(user.running_jobs),
               std::to_string(user.asked), std::to_string(user.waiting_jobs), types_text(user)});
  }
  return table.text(terminal.table_width(), terminal.colour) + (hidden.empty() ? "" : "\n" + hidden);
}

nlohmann::ordered_json nodes_json(const std::vector<NodeGpus>& nodes) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : nodes) {
    const auto& node = *row.node;
    list.push_back({{"node", node.name},
                    {"gpu_type", row.gpu_type},
                    {"total", row.total},
                    {"free", row.free},
                    {"cpus", node.cpus},
                    {"cpus_free", std::max(0, node.cpus - node.cpus_used)},
                    {"memory_mb", node.memory.count},
                    {"memory_free_mb", std::max<std::int64_t>(0, node.memory.count - node.memory_used.count)},
                    {"state", to_text(node.state)},
                    {"partitions", node.partitions},
                    {"reason", node.reason}});
  }
  return list;
}

nlohmann::ordered_json users_json(const std::vector<UserGpus>& users) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& user : users) {
    list.push_back({{"user", user.user.text()},
                    {"gpus", user.held},
                    {"jobs", user.running_jobs},
                    {"waiting_gpus", user.asked},
                    {"waiting_jobs", user.waiting_jobs},
                    {"types", user.held_type}});
  }
  return list;
}

}  // namespace rv::cli
