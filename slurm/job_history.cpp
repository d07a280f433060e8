#include "slurm/job_history.h"

#include <algorithm>
#include <iterator>

namespace rv::slurm {

void extend(JobHistory& history, planner::TimePoint from, planner::TimePoint to, std::vector<planner::FinishedJob> jobs,
            const planner::DatabaseName& user) {
  if (history.empty()) {
    history.from = from;
    history.to = to;
  }
  std::erase_if(history.jobs, [&](const planner::FinishedJob& job) { return job.end >= from && job.end < to; });
  history.shows_others =
      history.shows_others || std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) { return job.user != user; });
  history.jobs.insert(history.jobs.end(), std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
  // Stable, so that the same rows always give the same order.
  std::stable_sort(history.jobs.begin(), history.jobs.end(),
                   [](const auto& a, const auto& b) { return a.end < b.end; });
  history.from = std::min(history.from, from);
  history.to = std::max(history.to, to);
}

void trim(JobHistory& history, std::size_t count, planner::TimePoint since) {
  auto first = std::partition_point(history.jobs.begin(), history.jobs.end(),
                                    [&](const planner::FinishedJob& job) { return job.end < since; });
  history.from = std::clamp(since, history.from, history.to);
  const auto left = static_cast<std::size_t>(history.jobs.end() - first);
  if (left > count) {
    first += static_cast<std::ptrdiff_t>(left - count);
    history.from = first == history.jobs.end() ? history.to : first->end;
  }
  history.jobs.erase(history.jobs.begin(), first);
}

}  // namespace rv::slurm
