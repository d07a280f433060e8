// Jobs that somebody thinks of submitting: whether they would start in a pass.
#include <algorithm>
#include <functional>

#include "base/seeded_random.h"
#include "planner/replay/queue_replay.h"

namespace rv::planner {

namespace {

/// A purpose of chance within a trial, apart from the jobs' own keys.
constexpr std::uint64_t for_grace = 0x67726163;

}  // namespace

/// The longest time that the probe could have on enough nodes at once: on those that are free, or also on those that
/// others make free. 0: none. Its nodes are the first in starts_by_place_.
ReplayTime QueueReplay::window_of(const Probe& probe, ReplayTime now, bool backfill, bool preempting) {
  const Shape& shape = model_.shapes[probe.shape];
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  starts_by_place_.clear();
  const auto look = [&](int node) {
    if (!backfill && node_blocked_[node] == pass_) return true;
    const ReplayTime window = plans_.window(node, now, -1, backfill ? Plans::of_queue : Plans::none);
    if (window > 0) starts_by_place_.emplace_back(window, node);
    return true;
  };
  FreeNodeIndex& nodes = index_of(preempting ? probe.taker : -1);
  if (nodes.free_count(probe.shape) < shape.nodes) return 0;
  nodes.each_free(probe.shape, look);
  if (starts_by_place_.size() < wanted) return 0;
  const auto nth = starts_by_place_.begin() + static_cast<std::ptrdiff_t>(wanted) - 1;
  std::nth_element(starts_by_place_.begin(), nth, starts_by_place_.end(), std::greater<>());
  return nth->first;
}

/// Jobs that make room end at any time in their grace.
ReplayTime QueueReplay::grace_of(const Probe& probe) const {
  return static_cast<ReplayTime>(unit_interval(mixed(chance_, for_grace)) * model_.takers[probe.taker].grace);
}

void QueueReplay::test_probe(std::size_t number, ReplayTime now, bool backfill) {
  const Probe& probe = probes_[component_->probes[number]];
  ProbeOutcome& outcome = outcomes_[number];
  std::size_t& next = probe_next_[number];
  if (next >= probe.limits.size() && now > settings_.window_delay) return;
  ReplayTime window = window_of(probe, now, backfill, /*preempting=*/false);
  ReplayTime grace = 0;
  if (probe.taker >= 0 && next < probe.limits.size() && window < probe.limits.back()) {
    const auto free_nodes = starts_by_place_;
    const ReplayTime room = window_of(probe, now, backfill, /*preempting=*/true);
    if (room > window) {
      window = room;
      grace = grace_of(probe);
    } else {
      starts_by_place_ = free_nodes;
    }
  }
  if (window <= 0 || !limits_.leaves_room(probe.shared_limits, probe.amounts)) return;
  if (now <= settings_.window_delay) outcome.window = std::max(outcome.window, window);
  if (next >= probe.limits.size() || probe.limits[next] > window) return;
  ReplayTime released = probe.shared_limits.empty() ? 0 : last_limited_end_;
  for (int i = 0; i < model_.shapes[probe.shape].nodes; ++i) {
    released = std::max(released, timeline_.last_release(starts_by_place_[static_cast<std::size_t>(i)].second));
  }
  const ReplayTime at = dated_back(now, released) + grace;
  const bool was_open = next <= probe.asked;
  while (next < probe.limits.size() && probe.limits[next] <= window) outcome.starts[next++] = at;
  if (was_open && next > probe.asked) --open_probes_;
}

void QueueReplay::reserve_for_probe(std::size_t number, ReplayTime now) {
  const Probe& probe = probes_[component_->probes[number]];
  if (probe_next_[number] > probe.asked || !limits_.leaves_room(probe.shared_limits, probe.amounts)) return;
  reserve(probe.shape, probe.partition, probe.limits[probe.asked], -1, now, true);
}

}  // namespace rv::planner
