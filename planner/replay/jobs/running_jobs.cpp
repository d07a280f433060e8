#include "planner/replay/jobs/running_jobs.h"

namespace rv::planner {

void RunningJobs::clear() {
  jobs_.clear();
  releases_.clear();
  free_slots_.clear();
}

int RunningJobs::add(int job, int group, ReplayTime began, ReplayTime limit_end) {
  int slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<int>(jobs_.size());
    jobs_.emplace_back();
    releases_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  // Not a new StartedJob: the list of nodes keeps its room.
  StartedJob& run = jobs_[slot];
  run.job = job;
  run.group = group;
  run.began = began;
  run.preemptible = run.ending = false;
  releases_[slot] = {0, limit_end};
  return slot;
}

void RunningJobs::remove(int slot) {
  jobs_[slot].nodes.clear();
  jobs_[slot].ends_at = no_job;
  releases_[slot].partitions = 0;
  free_slots_.push_back(slot);
}

}  // namespace rv::planner
