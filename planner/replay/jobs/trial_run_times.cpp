#include "planner/replay/jobs/trial_run_times.h"

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::planner {
namespace {

/// Purposes of chance within a trial, apart from the jobs' own keys.
constexpr std::uint64_t for_overruns = 0x6f766572;
constexpr std::uint64_t for_levels = std::uint64_t{0x6c657665} << 32U;

/// Slurm looks for jobs past their limit every half minute or so.
constexpr double overrun = 30;

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
      tails_.back() = RunTimes::tail(model_.run_times[job.run_times], static_cast<double>(job.ran) / job.limit);
    }
  }
}

double TrialRunTimes::level_chance(const ReplayJob& job) const {
  return unit_interval(mixed(chance_, for_levels + static_cast<std::uint64_t>(job.run_times)));
}

ReplayTime TrialRunTimes::remaining(std::size_t place) const {
  const ReplayJob& job = model_.jobs[model_.running[component_->running[place]].job];
  if (job.run > 0) return job.run;
  if (job.limit >= never) return never;
  const double ratio = job.run_times < 0
                           ? 1
                           : RunTimes::sample(tails_[place], level_chance(job), unit_interval(mixed(chance_, job.key)));
  const auto left = static_cast<ReplayTime>(ratio * job.limit) - job.ran;
  if (left > 0) return left;
  return 1 + static_cast<ReplayTime>(unit_interval(mixed(chance_, mixed(job.key, for_overruns))) * overrun);
}

ReplayTime TrialRunTimes::of(const ReplayJob& job, int task) const {
  if (job.run > 0) return job.run;
  if (job.limit >= never) return never;
  if (job.run_times < 0) return job.limit;
  const double chance = unit_interval(mixed(chance_, job.key + static_cast<std::uint64_t>(task)));
  const double ratio = RunTimes::sample(whole_tails_[job.run_times], level_chance(job), chance);
  return std::max(1, static_cast<ReplayTime>(ratio * job.limit));
}

}  // namespace rv::planner
