#include "planner/replay/passes/request_steps.h"

#include <algorithm>

#include "planner/replay/model/release_steps.h"

namespace rv::planner {

namespace {

/// Up to this many running jobs, and nodes of the partition.
constexpr std::size_t few = 256;

/// Jobs of a pass that get steps of their own: a bound on what a long queue costs.
constexpr int most_begun = 16;

}  // namespace

void RequestSteps::reset(const std::vector<ReplayTime>& outside) {
  outside_ = &outside;
  seen_ = never;
}

bool RequestSteps::affordable(int partition) const {
  return begun_ < most_begun && running_.slots() <= few && model_.partition_nodes[partition].size() <= few;
}

void RequestSteps::begin(const SteppingJob& job, ReplayTime now) {
  ++begun_;
  sort_running();
  if (job.partition != partition_) {
    if (partition_ >= 0) {
      for (const int node : model_.partition_nodes[partition_]) in_partition_[node] = 0;
    }
    for (const int node : model_.partition_nodes[job.partition]) in_partition_[node] = 1;
    partition_ = job.partition;
  }
  job_ = job;
  now_ = now;
  tries_.clear();
  elsewhere_ = -never;
  const std::size_t first = next_relevant(0);
  next_ = 0;
  if (first == running_by_end_.size()) {
    next_ = first;
    return;
  }
  const ReplayTime begin = running_by_end_[first].limit_end;
  constexpr ReplayTime width = ReleaseSteps::first_window;
  const std::int64_t phase = model_.times.phase_of_steps;
  barrier_ = begin + width - static_cast<ReplayTime>((begin % width + phase % width + width) % width);
  window_end_ = barrier_ + width;
  taken_ = begin - 1;
}

ReplayTime RequestSteps::try_after(ReplayTime end) {
  while (next_ < running_by_end_.size() && (tries_.empty() || tries_.back() < end)) step();
  const auto found = std::lower_bound(tries_.begin(), tries_.end(), end);
  return found == tries_.end() ? end : *found;
}

/// Goes on by one window, which takes what ends in it. Where a job elsewhere ends behind the last of these, the next
/// job in question goes with them.
void RequestSteps::step() {
  const ReplayTime before = taken_;
  for (; next_ < running_by_end_.size() && running_by_end_[next_].limit_end <= window_end_; ++next_) {
    const Ending& one = running_by_end_[next_];
    ReplayTime& latest = is_relevant(one) ? taken_ : elsewhere_;
    latest = std::max(latest, one.limit_end);
  }
  const auto behind = std::upper_bound(outside_->begin(), outside_->end(), window_end_);
  if (behind != outside_->begin()) elsewhere_ = std::max(elsewhere_, *(behind - 1));
  const std::size_t next = next_relevant(next_);
  if (next == running_by_end_.size()) {
    next_ = next;
  } else if (elsewhere_ > taken_) {
    taken_ = std::max(taken_, running_by_end_[next].limit_end);
  }
  if (taken_ > before) tries_.push_back(taken_);
  window_end_ = barrier_ + (window_end_ - barrier_) * 2;
}

std::size_t RequestSteps::next_relevant(std::size_t from) const {
  while (from < running_by_end_.size() && !is_relevant(running_by_end_[from])) ++from;
  return from;
}

bool RequestSteps::is_relevant(const Ending& one) const {
  const std::vector<int>& nodes = running_.at(one.slot).nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](int node) { return open(node); });
}

bool RequestSteps::open(int node) const {
  return in_partition_[node] != 0 && plans_.window(node, now_, job_.reservation, Plans::all) >= job_.limit &&
         timeline_.may_be_planned(node, job_.demand);
}

/// Jobs without a time limit never end.
void RequestSteps::sort_running() {
  const std::size_t changes = timeline_.changes().size();
  if (seen_ == changes) return;
  seen_ = changes;
  running_by_end_.clear();
  running_.each_slot([&](int slot, ReplayTime limit_end) {
    if (limit_end < never) running_by_end_.push_back({limit_end, slot});
  });
  std::sort(running_by_end_.begin(), running_by_end_.end(),
            [](const Ending& a, const Ending& b) { return a.limit_end < b.limit_end; });
}

}  // namespace rv::planner
