#include "habits.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rv::bench {

Habits read_habits(const std::string& file) {
  Habits habits;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string id;
    words >> id;
    std::vector<double>& shares = habits[id];
    for (double share = 0; words >> share;) shares.push_back(share);
  }
  if (habits.empty()) throw std::runtime_error(file + ": no habits in it");
  return habits;
}

void teach(const Habits& habits, planner::Cluster& cluster, std::vector<planner::FinishedJob>& finished) {
  using std::chrono::seconds;
  // Other names lead nowhere now: their jobs have these.
  for (planner::FinishedJob& job : finished) job.name_key = 0;
  std::uint32_t key = 0;
  for (planner::QueuedJob& job : cluster.jobs) {
    const auto found = habits.find(job.id.substr(0, job.id.find('_')));
    if (found == habits.end() || !job.time_limit) continue;
    job.name_key = ++key;
    for (const double share : found->second) {
      planner::FinishedJob one;
      one.user = job.user;
      one.account = job.account;
      one.partition = job.partitions.empty() ? "" : job.partitions.front();
      one.limit = *job.time_limit;
      one.nodes = std::max(1, job.nodes);
      one.gpus = static_cast<int>(planner::gpu_count(job.requested));
      one.name_key = key;
      one.submitted = one.eligible = one.start = cluster.taken_at + std::chrono::hours(1);
      one.end = one.start +
                std::max(seconds(1),
                         seconds(static_cast<std::int64_t>(share * static_cast<double>(job.time_limit->count()))));
      finished.push_back(std::move(one));
    }
  }
}

}  // namespace rv::bench
