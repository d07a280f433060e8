#include "planner/replay/jobs/replay_state.h"

#include <algorithm>

namespace rv::planner {

ReplayState::ReplayState(const ReplayModel& model)
    : model_(model), nodes_(model), eligibility_(model), arrivals_(model), allocations_(model, nodes_, events_) {}

void ReplayState::enter(const Component& component) {
  component_ = &component;
  nodes_.enter(component);
  queue_.enter(component, !model_.preemptors.empty());
  allocations_.enter(component);
}

void ReplayState::begin(std::uint64_t seed) {
  nodes_.reset();
  queue_.reset();
  eligibility_.reset(*component_);
  events_.clear();
  last_wake_ = 0;
  for (const int number : component_->waiting) {
    const ReplayTime eligible = component_->entries[number].eligible;
    if (eligible > 0 && eligible < never) events_.add_wake(eligible);
  }
  for (const int node : component_->nodes) {
    for (const ReservedTime& block : model_.reserved_times[node]) {
      if (block.end > 0) events_.add_wake(block.end);
    }
  }
  if (model_.times.submit_delay > 0) events_.add_wake(model_.times.submit_delay);
  allocations_.begin(seed);
  arrivals_.begin(*component_, seed);
}

ReplayTime ReplayState::next_event() {
  return std::min(arrivals_.next(eligibility_.tasks_left()), events_.next());
}

void ReplayState::apply_events(ReplayTime until) {
  take_arrivals(until);
  while (!events_.empty() && events_.next() <= until) {
    const TrialEvents::Event event = events_.take();
    if (event.kind == TrialEvents::Kind::end) {
      end_job(event.number, event.at);
      continue;
    }
    last_wake_ = event.at;
    if (event.kind == TrialEvents::Kind::back) {
      eligibility_.requeue(event.number);
      queue_.requeue(event.number);
    }
    if (event.kind == TrialEvents::Kind::not_exempt) allocations_.end_exemption(event.number, event.at);
  }
}

void ReplayState::take_arrivals(ReplayTime until) {
  while (arrivals_.next(eligibility_.tasks_left()) <= until) {
    const int entry = arrivals_.take();
    eligibility_.submit(component_->entries[entry].job);
    queue_.submit(entry);
  }
}

void ReplayState::end_job(int slot, ReplayTime at) {
  ended_nodes_ = allocations_.running().at(slot).nodes;
  const std::optional<JobEnd> ended = allocations_.end(slot, at);
  if (!ended) return;
  if (ended->is_requeued) events_.add_back(at + model_.times.requeue_delay, ended->job);
  eligibility_.end(ended->job, ended->is_requeued, at, ended_nodes_);
}

void ReplayState::start(const QueueEntry& entry, const Selection& selection, ReplayTime now, ReplayTime at) {
  const ReplayTime begun = allocations_.preempt(selection.victims, at);
  allocations_.start(entry, selection, {now, begun, eligibility_.start(entry.job, selection.nodes)});
}

}  // namespace rv::planner
