#include "planner/replay/model/unaccounted_use.h"

#include <algorithm>
#include <optional>

namespace rv::planner {

namespace {

/// How long a node still cleans up behind a job that squeue does not show any more.
constexpr ReplayTime cleaning = 10;

/// The job on a node that has the most of its time limit left.
struct LongestJob {
  JobPart* part = nullptr;
  ReplayTime end = 0;
};

/// Returns how long the resources that no job holds stay unavailable on a node whose jobs have all ended at `idle`;
/// nothing if they are free.
std::optional<ReplayTime> absence(const Cluster& cluster, const Node& node, ReplayTime idle) {
  const auto boot = static_cast<ReplayTime>(cluster.controller.resume_timeout.count());
  if (belongs_to_another(cluster, node) && idle > 0) return idle;
  // Slurm reboots it when its last job has ended.
  if (node.state.reboots_first()) return idle >= never - boot ? never : idle + boot;
  if (node.state.boots_first()) return boot;
  return std::nullopt;
}

/// What the node reports as used beyond `held`.
NodeResources unaccounted(const ReplayNode& node, const NodeResources& held) {
  NodeResources rest;
  rest.cpus = std::max(0, node.total.cpus - node.free.cpus - held.cpus);
  rest.memory = std::max<std::int64_t>(0, node.total.memory - node.free.memory - held.memory);
  for (int i = 0; i < most_pools; ++i) {
    rest.gpus[i] = static_cast<std::int16_t>(std::max(0, node.total.gpus[i] - node.free.gpus[i] - held.gpus[i]));
  }
  return rest;
}

}  // namespace

bool belongs_to_another(const Cluster& cluster, const Node& node) {
  return !cluster.queue_known() && !node.owner.empty() && node.owner != cluster.user;
}

std::vector<UnavailablePart> attribute_unaccounted_use(const Cluster& cluster, ReplayModel& model) {
  std::vector<NodeResources> held(model.nodes.size());
  std::vector<LongestJob> longest(model.nodes.size());
  for (RunningJob& one : model.running) {
    const ReplayJob& job = model.jobs[one.job];
    for (JobPart& holding : one.parts) {
      add(held[holding.node], holding.part);
      const ReplayTime end = job.limit >= never ? never : job.limit - job.elapsed;
      LongestJob& so_far = longest[holding.node];
      if (so_far.part == nullptr || end > so_far.end) so_far = {&holding, end};
    }
  }
  std::vector<UnavailablePart> returning;
  const bool hidden = cluster.unanswered.contains(jobs_of_others);
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const ReplayNode& node = model.nodes[n];
    const NodeResources rest = unaccounted(node, held[n]);
    if (rest == NodeResources{}) continue;
    const NodeState& state = cluster.nodes[n].state;
    const ReplayTime idle = longest[n].part == nullptr ? 0 : std::max(longest[n].end, ReplayTime{0});
    if (const auto span = absence(cluster, cluster.nodes[n], idle)) {
      returning.push_back({static_cast<int>(n), rest, *span});
    } else if (longest[n].part != nullptr && !hidden) {
      // Shares of a job's nodes are rarely equal to the last CPU: the job that stays longest has the rest.
      add(longest[n].part->part, rest);
    } else if (state.has("COMPLETING") || state.base == "COMPLETING") {
      returning.push_back({static_cast<int>(n), rest, cleaning});
    } else {
      ++model.nodes_of_unseen;
    }
  }
  return returning;
}

}  // namespace rv::planner
