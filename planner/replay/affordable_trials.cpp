#include "planner/replay/affordable_trials.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/disjoint_sets.h"
#include "planner/cluster/preemption.h"

namespace rv::planner {

namespace {

/// Returns the largest share of the jobs that is in partitions with common nodes: these are replayed until the last
/// strategy among them starts, and each pass considers all of them.
double joined_share(const Cluster& cluster) {
  std::unordered_map<std::string_view, int> numbers;
  for (const Partition& one : cluster.partitions) numbers.try_emplace(one.name, static_cast<int>(numbers.size()));
  DisjointSets joined(numbers.size());
  const auto join = [&](const std::vector<std::string>& names) {
    int first = -1;
    for (const std::string& name : names) {
      const auto found = numbers.find(name);
      if (found == numbers.end()) continue;
      if (first < 0) first = found->second;
      joined.join(first, found->second);
    }
    return first;
  };
  for (const Node& node : cluster.nodes) join(node.partitions);
  std::vector<int> of_jobs;
  of_jobs.reserve(cluster.jobs.size());
  for (const QueuedJob& job : cluster.jobs) of_jobs.push_back(join(job.partitions));
  std::vector<int> jobs(numbers.size());
  int most = 0;
  for (const int partition : of_jobs) {
    if (partition >= 0) most = std::max(most, ++jobs[joined.root_of(partition)]);
  }
  return static_cast<double>(most) / std::max<double>(1, static_cast<double>(cluster.jobs.size()));
}

/// Whether jobs can be preempted at all.
bool preempts(const Cluster& cluster) {
  int highest = 0;
  for (const Partition& one : cluster.partitions) highest = std::max(highest, one.priority_tier);
  return std::any_of(cluster.partitions.begin(), cluster.partitions.end(),
                     [&](const Partition& one) {
                       return one.priority_tier < highest && is_preemptible(cluster.controller, one);
                     }) ||
         std::any_of(cluster.qos.begin(), cluster.qos.end(),
                     [&](const Qos& one) { return !one.preempts.empty() && preempts_by_qos(cluster.controller); });
}

}  // namespace

int affordable_trials(const Cluster& cluster) {
  constexpr int enough = 64;
  constexpr int too_few = 8;
  // µs of a core for a job and trial at 20,000 jobs (bench/plan_scale): 0.65 in six parts of equal size, 1.8 in one.
  constexpr double apart = 0.4;
  constexpr double together = 1.4;
  // Victims that come back, and strategies that differ in whom they may take: 4.2 in one part.
  constexpr double with_preemption = 2.4;
  // A second of a core: half a second on two.
  constexpr double second = 1'000'000;
  const double jobs = std::max<double>(1, static_cast<double>(cluster.jobs.size()));
  const double of_a_job = (apart + together * joined_share(cluster)) * (preempts(cluster) ? with_preemption : 1);
  const double trials = second / of_a_job / jobs;
  return trials < too_few ? 0 : static_cast<int>(std::min<double>(trials, enough));
}

}  // namespace rv::planner
