#include "cli/views/cluster_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/table.h"
#include "cli/views/gpus_asked.h"
#include "shared/time_text.h"

namespace rv::cli {

namespace {

using planner::Cluster;

bool share(const std::vector<std::string>& some, const std::set<std::string>& others) {
  return std::any_of(some.begin(), some.end(), [&](const auto& name) { return others.contains(name); });
}

struct Row {
  GpuTypeSummary summary;
  std::set<planner::DatabaseName> gres_types;
  std::set<std::string> partitions;
};

void count_node(std::map<std::string, Row>& rows, const planner::Node& node, const planner::GpuCatalogue& catalogue) {
  std::set<std::string> seen;
  for (const planner::GpuPool& pool : node.gpus) {
    const planner::GpuModel model = planner::identify(catalogue, node, pool);
    Row& row = rows[model.name];
    row.summary.model = model;
    row.gres_types.insert(pool.type);
    row.partitions.insert(node.partitions.begin(), node.partitions.end());
    const int left = std::max(0, pool.total - pool.used);
    row.summary.total += pool.used + left;
    row.summary.used += pool.used;
    (node.state.usable() ? row.summary.free : row.summary.unusable) += left;
    if (seen.insert(model.name).second) ++row.summary.nodes;
  }
}

/// Adds to the only matching type, or to the rest.
void count_pending(std::map<std::string, Row>& rows, int& any_type, const planner::QueuedJob& job,
                   const AskedGpus& asked) {
  std::vector<Row*> meant;
  for (auto& [name, row] : rows) {
    const bool type_fits = asked.type.empty() || row.gres_types.contains(asked.type);
    if (type_fits && (job.partitions.empty() || share(job.partitions, row.partitions))) meant.push_back(&row);
  }
  const int gpus = static_cast<int>(asked.gpus) * std::max(1, job.array_tasks);
  (meant.size() == 1 ? meant.front()->summary.pending : any_type) += gpus;
}

}  // namespace

ClusterSummary summarise(const Cluster& cluster, const planner::GpuCatalogue& catalogue) {
  std::map<std::string, Row> rows;
  for (const planner::Node& node : cluster.nodes) count_node(rows, node, catalogue);
  ClusterSummary summary;
  for (const planner::QueuedJob& job : cluster.jobs) {
    if (job.state != "PENDING") continue;
    for (const AskedGpus& asked : gpus_asked(job)) count_pending(rows, summary.pending_any_type, job, asked);
  }
  for (auto& [name, row] : rows) {
    row.summary.partitions.assign(row.partitions.begin(), row.partitions.end());
    summary.types.push_back(std::move(row.summary));
  }
  return summary;
}

std::map<std::string, int> gpus_of(const planner::DatabaseName& user, const Cluster& cluster,
                                   const planner::GpuCatalogue& catalogue) {
  std::map<std::string, int> gpus;
  for (const planner::QueuedJob& job : cluster.jobs) {
    if (job.user != user || job.state != "RUNNING") continue;
    for (const AskedGpus& asked : gpus_asked(job)) {
      std::set<std::string> models;
      for (const auto& name : job.node_names) {
        const planner::Node* node = cluster.find_node(name);
        if (node == nullptr) continue;
        for (const planner::GpuPool& pool : node->gpus) {
          if (asked.type.empty() || planner::DatabaseName(pool.type) == asked.type) {
            models.insert(planner::identify(catalogue, *node, pool).name);
          }
        }
      }
      if (models.size() == 1) gpus[*models.begin()] += static_cast<int>(asked.gpus);
    }
  }
  return gpus;
}

nlohmann::ordered_json gpu_rows_json(const Cluster& cluster, const planner::GpuCatalogue& catalogue) {
  const bool jobs_known = cluster.queue_known();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const GpuTypeSummary& type : summarise(cluster, catalogue).types) {
    nlohmann::ordered_json row;
    row["gpu_type"] = type.model.name;
    row["nodes"] = type.nodes;
    row["total"] = type.total;
    row["free"] = type.free;
    row["used"] = type.used;
    row["unusable"] = type.unusable;
    row["pending"] = jobs_known ? nlohmann::ordered_json(type.pending) : nlohmann::ordered_json();
    row["vram_mb"] = type.model.vram ? nlohmann::ordered_json(type.model.vram->count) : nlohmann::ordered_json();
    row["partitions"] = type.partitions;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string cluster_table(const Cluster& cluster, const planner::GpuCatalogue& catalogue,
                          const os::Terminal& terminal) {
  const ClusterSummary summary = summarise(cluster, catalogue);
  const bool jobs_known = cluster.queue_known();
  Table table;
  table.column("GPU type");
  for (const char* title : {"nodes", "total", "free", "used", "unusable", "pending", "VRAM"}) {
    table.column(title, Table::Align::right);
  }
  table.column("partitions");
  for (const GpuTypeSummary& type : summary.types) {
    table.row({type.model.name, std::to_string(type.nodes), std::to_string(type.total), std::to_string(type.free),
               std::to_string(type.used), std::to_string(type.unusable),
               jobs_known ? std::to_string(type.pending) : "unknown",
               type.model.vram ? format_memory(*type.model.vram) : "unknown",
               fmt::format("{}", fmt::join(type.partitions, ","))});
  }
  const std::string name =
      cluster.controller.cluster_name.empty() ? std::string("Cluster") : cluster.controller.cluster_name.text();
  const std::string version =
      cluster.controller.version.empty() ? "" : fmt::format(", Slurm {}", cluster.controller.version);
  std::string out = fmt::format("{}{}, as of {}\n\n", name, version, utc_time(cluster.taken_at));
  out += table.empty() ? "No node of this cluster has a GPU.\n" : table.text(terminal.table_width(), terminal.colour);
  if (summary.pending_any_type > 0) {
    out += fmt::format("\nPending jobs request {} more GPU{} of several possible types.\n", summary.pending_any_type,
                       summary.pending_any_type == 1 ? "" : "s");
  }
  for (const auto& [question, trouble] : cluster.unanswered) {
    const std::string line = fmt::format("Unknown: {}: {}", question, trouble);
    out += "\n" + wrapped(line, terminal.width, 2) + "\n";
  }
  return out;
}

}  // namespace rv::cli
