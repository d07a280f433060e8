#include "planner/run_times.h"

#include <algorithm>

namespace rv::planner {

namespace {

/// Ratios at which a level's own evidence weighs as much as all that is wider.
constexpr double shrinkage = 10;

/// Slurm ends a job up to a minute or so after its limit; more than this is an administrator's doing.
constexpr double most_ratio = 1.25;

std::string key(const std::string& user, const std::string& account, const std::string& partition) {
  return user + '\n' + account + '\n' + partition;
}

std::string key(const std::string& user, const std::string& partition) {
  return user + '\n' + partition;
}

}  // namespace

RunTimes::RunTimes(const std::vector<FinishedJob>& finished) {
  for (const FinishedJob& job : finished) {
    if (job.limit <= std::chrono::seconds(0) || job.end <= job.start || job.start < job.submitted) continue;
    const double ratio = static_cast<double>((job.end - job.start).count()) / static_cast<double>(job.limit.count());
    const auto kept = static_cast<float>(std::min(ratio, most_ratio));
    by_job_[key(job.user, job.account, job.partition)].push_back(kept);
    by_user_[key(job.user, job.partition)].push_back(kept);
    by_partition_[job.partition].push_back(kept);
    all_.push_back(kept);
    ++size_;
  }
  // Sorted, so that the order of the records does not matter.
  for (auto* groups : {&by_job_, &by_user_, &by_partition_}) {
    for (auto& [name, ratios] : *groups) std::sort(ratios.begin(), ratios.end());
  }
  std::sort(all_.begin(), all_.end());
}

RunTimes::Group RunTimes::group(const std::string& user, const std::string& account,
                                const std::string& partition) const {
  Group group;
  double left = 1;
  const auto add = [&](const Ratios& ratios, bool last) {
    if (ratios.empty()) return;
    const auto n = static_cast<double>(ratios.size());
    const double weight = last ? left : left * n / (n + shrinkage);
    group.levels[group.count++] = {&ratios, weight};
    left -= weight;
  };
  if (const auto found = by_job_.find(key(user, account, partition)); found != by_job_.end()) add(found->second, false);
  if (const auto found = by_user_.find(key(user, partition)); found != by_user_.end()) add(found->second, false);
  if (const auto found = by_partition_.find(partition); found != by_partition_.end()) add(found->second, false);
  add(all_, true);
  return group;
}

RunTimes::Tail RunTimes::tail(const Group& group, double used) {
  Tail tail;
  tail.count = group.count;
  for (int i = 0; i < group.count; ++i) {
    const Ratios& ratios = *group.levels[i].ratios;
    const auto first = used <= 0 ? ratios.begin() : std::upper_bound(ratios.begin(), ratios.end(), used);
    Tail::Level& level = tail.levels[i];
    level.count = static_cast<std::size_t>(ratios.end() - first);
    level.first = ratios.data() + (first - ratios.begin());
    level.mass = group.levels[i].weight * static_cast<double>(level.count) / static_cast<double>(ratios.size());
    tail.mass += level.mass;
  }
  return tail;
}

double RunTimes::draw(const Tail& tail, double level_chance, double chance) {
  if (tail.mass <= 0) return 1;
  double at = level_chance * tail.mass;
  const Tail::Level* chosen = tail.levels.data();
  for (int i = 0; i < tail.count; ++i) {
    const Tail::Level& level = tail.levels[i];
    if (level.mass <= 0) continue;
    chosen = &level;
    if (at < level.mass) break;
    at -= level.mass;
  }
  const auto step = static_cast<std::size_t>(chance * static_cast<double>(chosen->count));
  return chosen->first[std::min(step, chosen->count - 1)];
}

}  // namespace rv::planner
