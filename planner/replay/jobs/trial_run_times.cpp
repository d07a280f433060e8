#include "planner/replay/jobs/trial_run_times.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {
namespace {

/// Make the random numbers for each purpose differ from those drawn with the keys of jobs.
constexpr std::uint64_t for_epilogs = 0x6f766572;
constexpr std::uint64_t for_checks = 0x63686563;
constexpr std::uint64_t for_levels = std::uint64_t{0x6c657665} << 32U;

/// Seconds between two of slurmctld's checks of time limits (PERIODIC_TIMEOUT, job_time_limit()).
constexpr ReplayTime check_interval = 30;

/// Jobs that one check ends free their nodes one after the other, as their epilogs end.
constexpr double longest_epilog = 4;

}  // namespace

TrialRunTimes::TrialRunTimes(const ReplayModel& model) : model_(model) {
  whole_tails_.reserve(model.run_times.size());
  for (const RunTimes::Group& group : model.run_times) whole_tails_.push_back(RunTimes::tail(group, 0));
}

void TrialRunTimes::enter(const Component& component) {
  component_ = &component;
  tails_.clear();
  for (const int number : component.running) {
    const ReplayJob& job = model_.jobs[model_.running[number].job];
    tails_.emplace_back();
    if (job.run_times >= 0 && job.limit < never) {
      tails_.back() = RunTimes::tail(model_.run_times[job.run_times], static_cast<double>(job.elapsed) / job.limit);
    }
  }
}

double TrialRunTimes::level_chance(const ReplayJob& job) const {
  return unit_interval(mixed(seed_, for_levels + static_cast<std::uint64_t>(job.run_times)));
}

/// The first check of time limits at or after a job's limit ends it. Several end at once, and Slurm may start the next
/// job before the last of them has left.
ReplayTime TrialRunTimes::end_by_limit(const ReplayJob& job, ReplayTime limit_end) const {
  const auto phase = static_cast<ReplayTime>(unit_interval(mixed(seed_, for_checks)) * check_interval);
  const ReplayTime past = (std::max(limit_end, 1) - phase + check_interval - 1) / check_interval;
  const auto epilog =
      static_cast<ReplayTime>(unit_interval(mixed(seed_, mixed(job.key, for_epilogs))) * longest_epilog);
  return std::max(past * check_interval + phase, 1) + epilog;
}

ReplayTime TrialRunTimes::remaining(std::size_t index) const {
  const ReplayJob& job = model_.jobs[model_.running[component_->running[index]].job];
  if (job.known_run_time > 0) return job.known_run_time;
  if (job.limit >= never) return never;
  const double ratio =
      job.run_times < 0 ? 1 : RunTimes::sample(tails_[index], level_chance(job), unit_interval(mixed(seed_, job.key)));
  const auto length = static_cast<ReplayTime>(ratio * job.limit);
  const ReplayTime left = length - job.elapsed;
  return length < job.limit && left > 0 ? left : end_by_limit(job, left);
}

ReplayTime TrialRunTimes::end_of(const ReplayJob& job, int task, ReplayTime at) const {
  if (job.known_run_time > 0) return at + job.known_run_time;
  if (job.limit >= never) return never;
  if (job.run_times < 0) return end_by_limit(job, at + job.limit);
  const double chance = unit_interval(mixed(seed_, job.key + static_cast<std::uint64_t>(task)));
  const double ratio = RunTimes::sample(whole_tails_[job.run_times], level_chance(job), chance);
  const auto length = static_cast<ReplayTime>(ratio * job.limit);
  return length >= job.limit ? end_by_limit(job, at + job.limit) : at + std::max(length, 1);
}

}  // namespace rv::planner
