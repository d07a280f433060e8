#include "planner/replay/passes/partition_steps.h"

#include <algorithm>

namespace rv::planner {
namespace {

/// Changes of one in so many running jobs leave the steps as they are.
constexpr std::size_t few_of = 24;

}  // namespace

void PartitionSteps::enter(const Component& component) {
  component_ = &component;
  std::vector<bool> here(model_.running.size());
  for (const int number : component.running) here[number] = true;
  ends_elsewhere_.clear();
  for (std::size_t i = 0; i < here.size(); ++i) {
    const ReplayJob& job = model_.jobs[model_.running[i].job];
    if (!here[i] && job.limit < never) ends_elsewhere_.push_back(job.limit - job.elapsed);
  }
  std::sort(ends_elsewhere_.begin(), ends_elsewhere_.end());
}

void PartitionSteps::reset() {
  for (const int partition : component_->partitions) steps_[partition].seen = never;
}

const ReleaseSteps& PartitionSteps::of(int partition, const RunningJobs& running, std::uint32_t pass,
                                       std::size_t changes) {
  One& one = steps_[partition];
  if (one.pass == pass) return one.steps;
  one.pass = pass;
  // Among thousands a few more or less hardly move a window's last end.
  if (one.seen <= changes && changes - one.seen <= running.slots() / few_of) return one.steps;
  one.seen = changes;
  ends_.clear();
  running.limit_ends(std::uint64_t{1} << partition % 64, ends_);
  one.steps.assign(ends_, ends_elsewhere_, model_.times.phase_of_steps);
  return one.steps;
}

}  // namespace rv::planner
