#include "planner/replay/jobs/job_eligibility.h"

#include <algorithm>

namespace rv::planner {

JobEligibility::JobEligibility(const ReplayModel& model)
    : model_(model),
      tasks_left_(model.jobs.size()),
      tasks_open_(model.jobs.size()),
      array_running_(model.arrays.size()) {}

void JobEligibility::reset(const Component& component) {
  limits_.reset(model_);
  for (std::size_t i = 0; i < array_running_.size(); ++i) array_running_[i] = model_.arrays[i].running;
  for (const QueueEntry& entry : component.entries) tasks_left_[entry.job] = 0;
  for (const int entry : component.waiting) submit(component.entries[entry].job);
  for (const int number : component.running) {
    const int job = model_.running[number].job;
    tasks_left_[job] = 0;
    tasks_open_[job] = 1;
  }
  last_freed_ = 0;
}

int JobEligibility::start(int number, std::span<const int> nodes) {
  const ReplayJob& job = model_.jobs[number];
  limits_.take(job, nodes);
  if (job.array >= 0) ++array_running_[job.array];
  return --tasks_left_[number];
}

void JobEligibility::end(int number, bool is_requeued, ReplayTime at, std::span<const int> nodes) {
  const ReplayJob& job = model_.jobs[number];
  const bool over = !is_requeued && --tasks_open_[number] == 0;
  if (over || !job.counters.empty()) last_freed_ = at;
  if (job.array >= 0) --array_running_[job.array];
  limits_.give_back(job, nodes);
}

bool JobEligibility::unbound(const ReplayJob& job) const {
  if (job.array >= 0) {
    const int most = model_.arrays[job.array].most;
    if (most > 0 && array_running_[job.array] >= most) return false;
  }
  const auto over = [&](int other) { return tasks_open_[other] == 0; };
  if (!std::all_of(job.after.begin(), job.after.end(), over)) return false;
  return job.limits.empty() || limits_.leaves_room(job.limits, job.amounts);
}

}  // namespace rv::planner
