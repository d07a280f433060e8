#include "planner/replay/model/new_job_priority.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"

namespace rv::planner {

namespace {

constexpr std::size_t most_judged_by = 20;

// The priority of the user's newest job that waits.
std::optional<std::int64_t> newest_waiting(const Cluster& cluster) {
  const QueuedJob* newest = nullptr;
  for (const QueuedJob& job : cluster.jobs) {
    if (job.state != "PENDING" || job.user != cluster.user || job.priority <= 0 || !job.submitted) continue;
    if (newest == nullptr || *job.submitted > *newest->submitted) newest = &job;
  }
  return newest == nullptr ? std::nullopt : std::optional(newest->priority);
}

}  // namespace

NewJobPriority::NewJobPriority(const Cluster& cluster, std::optional<std::int64_t> own) {
  std::vector<Newest> pending;
  std::int64_t lowest = 1;
  const bool in_order = cluster.controller.priority_type == "priority/basic";
  for (const QueuedJob& job : cluster.jobs) {
    if (job.priority <= 0 || !job.submitted) continue;
    const Newest one{*job.submitted, job.priority};
    if (!in_order) {
      const auto [at, fresh] = by_user_.try_emplace(job.user, one);
      const auto newer = [](const Newest& a, const Newest& b) {
        return std::tie(a.submitted, b.priority) > std::tie(b.submitted, a.priority);
      };
      if (!fresh && newer(one, at->second)) at->second = one;
    }
    if (job.state != "PENDING") continue;
    lowest = pending.empty() ? job.priority : std::min(lowest, job.priority);
    pending.push_back(one);
  }
  if (own) {
    // What is known of the share may be an hour old; what waits of his own shows what it is worth today, and has aged.
    if (const auto today = newest_waiting(cluster); today && !in_order) own = std::min(*own, *today);
    by_user_[cluster.user] = {cluster.taken_at, *own};
  }
  if (in_order) {
    typical_ = lowest - 1;
    typical_source_ = "priority by order of submission";
    return;
  }
  if (pending.empty()) {
    typical_source_ = "priority unknown: no pending job shows one";
    return;
  }
  std::sort(pending.begin(), pending.end(), [](const Newest& a, const Newest& b) {
    return std::tie(b.submitted, a.priority) < std::tie(a.submitted, b.priority);
  });
  if (pending.size() > most_judged_by) pending.resize(most_judged_by);
  std::sort(pending.begin(), pending.end(), [](const auto& a, const auto& b) { return a.priority < b.priority; });
  typical_ = pending[(pending.size() - 1) / 2].priority;
  typical_source_ = "priority estimated as the median of the newest " +
                    counted(static_cast<long long>(pending.size()), "pending job");
}

std::int64_t NewJobPriority::of(const DatabaseName& user) const {
  const auto found = by_user_.find(user);
  return found == by_user_.end() ? typical_ : found->second.priority;
}

std::string NewJobPriority::source(const DatabaseName& user) const {
  return by_user_.contains(user) ? "priority of your newest job" : typical_source_;
}

}  // namespace rv::planner
