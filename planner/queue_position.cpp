#include "planner/queue_position.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "planner/replay/model/job_demand.h"
#include "planner/slurm_words/job_reason.h"

namespace rv::planner {

namespace {

bool starts_by_itself(const QueuedJob& job) {
  return job.state == "PENDING" && job.reason != "Dependency" && !job_reason(job.reason).blocked();
}

int highest_tier(const Cluster& cluster, const QueuedJob& job) {
  int tier = 0;
  for (const std::string& name : job.partitions) {
    if (const Partition* partition = cluster.find_partition(name)) tier = std::max(tier, partition->priority_tier);
  }
  return tier;
}

}  // namespace

std::optional<QueuePosition> queue_position(const Cluster& cluster, std::string_view id,
                                            const std::vector<std::string>& same_run) {
  if (!cluster.queue_known()) return std::nullopt;
  const std::int64_t number = base_id(id);
  const auto own = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const QueuedJob& job) {
    return base_id(job.id) == number && job.state == "PENDING";
  });
  if (own == cluster.jobs.end()) return std::nullopt;
  const auto order = [&](const QueuedJob& job) {
    return std::tuple(-highest_tier(cluster, job), -job.priority, base_id(job.id));
  };
  QueuePosition found{.place = 1, .waiting = 0, .gpus_ahead = 0, .own_ahead = 0, .partitions = own->partitions};
  for (const QueuedJob& job : cluster.jobs) {
    const bool is_own = base_id(job.id) == number;
    const bool is_candidate =
        std::any_of(same_run.begin(), same_run.end(), [&](const auto& one) { return base_id(one) == base_id(job.id); });
    if (is_candidate && !is_own) continue;
    const bool shares = std::any_of(job.partitions.begin(), job.partitions.end(),
                                    [&](const std::string& name) { return contains(own->partitions, name); });
    if (job.state != "PENDING" || !shares || (!is_own && !starts_by_itself(job))) continue;
    const int tasks = std::max(1, job.array_tasks);
    found.waiting += tasks;
    if (is_own || order(job) >= order(*own)) continue;
    found.place += tasks;
    found.gpus_ahead += tasks * gpu_count(job.requested);
    if (job.user == own->user) found.own_ahead += tasks;
  }
  return found;
}

}  // namespace rv::planner
