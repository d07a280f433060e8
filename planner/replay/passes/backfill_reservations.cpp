#include "planner/replay/passes/backfill_reservations.h"

#include <algorithm>

namespace rv::planner {

namespace {

/// Nodes free by the planned start that are looked at besides those that suffice: a bound on what a plan costs.
constexpr std::size_t most_others = 4;

}  // namespace

BackfillReservations::BackfillReservations(const ReplayModel& model, NodeStates& nodes, const RunningJobs& running,
                                           NodePlans& plans)
    : model_(model),
      nodes_(nodes),
      running_(running),
      plans_(plans),
      steps_(model),
      request_steps_(model, running, plans, nodes.timeline()),
      shapes_(model.shapes.size()),
      chooser_(model) {}

void BackfillReservations::begin_pass() {
  ++pass_;
  request_steps_.begin_pass();
  shapes_.begin_pass();
  plans_.forget();
}

const std::vector<int>& BackfillReservations::reserve(const PlanRequest& request, ReplayTime now) {
  planned_.clear();
  OfShape& one = shapes_[request.shape];
  if (request.limit >= one.no_plan) return planned_;
  if (one.queue == nullptr) one.queue = &nodes_.free_nodes().places_by_time(request.shape, now);
  if (const auto from = collect_places(*one.queue, request, now)) {
    choose_neighbours(*one.queue, request, *from);
    add_plans(*one.queue, request, *from);
  } else {
    for (const StartTime& place : collected_) one.queue->put(place);
    one.no_plan = request.limit;
  }
  return planned_;
}

/// Returns the time of Slurm's next try after an end of running jobs. `asked`: the request has tried before.
ReplayTime BackfillReservations::try_after(ReplayTime end, const PlanRequest& request, ReplayTime now, bool& asked) {
  if (!request_steps_.affordable(request.partition)) {
    return steps_.of(request.partition, running_, pass_, nodes_.timeline().changes().size()).try_after(end);
  }
  if (!asked) {
    request_steps_.begin({request.partition, model_.shapes[request.shape].demand, request.limit, request.reservation},
                         now);
  }
  asked = true;
  return request_steps_.try_after(end);
}

/// Collects as many places as the shape has nodes, and returns the time from which all are free; nothing where there
/// are not that many within the window.
///
/// A sweep over the places by the time at which each is free. It finds the start that Slurm's plugins/sched/backfill
/// finds by trying again and again: _attempt_backfill() tries at each end of a planned job (`later_start`), and each
/// _try_sched() lets the select plugin take away running jobs, in the order of their ends, until the job fits.
/// Throughout, `from` only grows, and each collected place is free from `from` on for the whole time limit. A place for
/// which this ends, because `from` has grown into a plan, goes back into the queue with its next time.
std::optional<ReplayTime> BackfillReservations::collect_places(EarliestStartQueue& queue, const PlanRequest& request,
                                                               ReplayTime now) {
  const Shape& shape = model_.shapes[request.shape];
  bool asked = false;
  const ReplayTime last = now + model_.times.backfill_window;
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  const auto clear_from = [&](int place, ReplayTime from) {
    return plans_.clear_from(shape.places[place], from, request.limit, request.reservation);
  };
  collected_.clear();
  ReplayTime from = now;
  while (collected_.size() < wanted) {
    const auto earliest = queue.earliest(last);
    if (!earliest) return std::nullopt;
    const StartTime next = *earliest;
    if (!nodes_.timeline().may_be_planned(shape.places[next.place], shape.demand)) {
      queue.remove(next.place);
      continue;
    }
    const ReplayTime tried = queue.becomes_free(next) ? try_after(next.at, request, now, asked) : next.at;
    const ReplayTime at = clear_from(next.place, std::max(tried, from));
    if (at > last) {
      queue.remove(next.place);
      continue;
    }
    if (at > std::max(tried, from)) {
      // Later than it looked: others may come first.
      queue.put({at, next.place});
      continue;
    }
    const bool later = at > from && !collected_.empty();
    collected_.push_back({at, next.place});
    from = at;
    // The others have to wait for this one, which may put them behind a plan.
    for (std::size_t i = 0; later && i + 1 < collected_.size();) {
      const ReplayTime moved = clear_from(collected_[i].place, from);
      if (moved == from) {
        ++i;
        continue;
      }
      queue.put({moved, collected_[i].place});
      collected_.erase(collected_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // The last one stays in: the caller puts the chosen ones behind their plans.
    if (collected_.size() < wanted) queue.remove(next.place);
  }
  return from;
}

/// Replaces the collected places by Slurm's choice among all that are free at that time.
void BackfillReservations::choose_neighbours(EarliestStartQueue& queue, const PlanRequest& request, ReplayTime from) {
  const Shape& shape = model_.shapes[request.shape];
  const auto wanted = collected_.size();
  const int last = collected_.back().place;
  candidates_ = collected_;
  std::size_t seen = 0;
  queue.each_until(from, [&](int place) {
    if (place == last) return true;
    const int node = shape.places[place];
    if (nodes_.timeline().may_be_planned(node, shape.demand) &&
        plans_.clear_from(node, from, request.limit, request.reservation) == from) {
      candidates_.push_back({from, place});
    }
    return ++seen < most_others;
  });
  if (candidates_.size() == wanted) return;
  for (const StartTime& one : collected_) queue.put(one);
  std::sort(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  free_.clear();
  for (const StartTime& one : candidates_) {
    const int node = shape.places[one.place];
    free_.emplace_back(nodes_.timeline().free_cpus_at(node, from), node);
  }
  collected_.clear();
  for (const std::size_t one : chooser_.choose(model_.demands[shape.demand], free_, wanted)) {
    collected_.push_back(candidates_[one]);
  }
}

/// On the collected places.
void BackfillReservations::add_plans(EarliestStartQueue& queue, const PlanRequest& request, ReplayTime from) {
  const Shape& shape = model_.shapes[request.shape];
  const ReplayTime grain = model_.times.resolution;
  const auto phase = static_cast<ReplayTime>(model_.times.phase_of_resolution);
  const ReplayTime length = std::min(request.limit, never - from - grain);
  const ReplayTime begin = (from + phase) / grain * grain - phase;
  const ReplayTime end = (from + length + phase + grain - 1) / grain * grain - phase;
  for (const StartTime& place : collected_) {
    const int node = shape.places[place.place];
    plans_.add(node, {begin, end, request.hypothetical});
    queue.put({end, place.place});
    planned_.push_back(node);
  }
}

}  // namespace rv::planner
