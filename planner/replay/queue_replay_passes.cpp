// The scheduler's two kinds of pass.
#include <algorithm>
#include <functional>
#include <limits>

#include "planner/replay/queue_replay.h"

namespace rv::planner {

namespace {

/// Changes of one in so many running jobs leave ReleaseSteps as they are.
constexpr std::size_t few_of = 24;

constexpr int everybody = std::numeric_limits<int>::max();

}  // namespace

QueueReplay::ShapeNote& QueueReplay::note(int shape) {
  ShapeNote& one = notes_[shape];
  if (one.pass != pass_) one = {pass_, never + 1, never + 1, -1, nullptr};
  return one;
}

void QueueReplay::main_pass(ReplayTime now) {
  ++pass_;
  const bool overlapping = component_->partitions.size() > 1;
  int blocked = 0;
  std::size_t probe = 0;
  int tests = 0;
  const auto test_probes_before = [&](int row) {
    for (; probe < component_->probes.size() && component_->probe_rows[probe] <= row; ++probe) {
      const Probe& one = probes_[component_->probes[probe]];
      if (partition_blocked_[one.partition] == pass_) continue;
      test_probe(probe, now, false);
      if (probe_next_[probe] <= one.asked) partition_blocked_by_probe_[one.partition] = pass_;
    }
  };
  for (std::size_t i = front_; i < active_.size(); ++i) {
    const int number = active_[i];
    const Row& row = component_->rows[number];
    test_probes_before(number);
    if (partition_blocked_[row.partition] == pass_ || partition_blocked_by_probe_[row.partition] == pass_) continue;
    while (ready(row, now)) {
      if (++tests > model_.times.main_depth) return;
      if (try_start(row, now, false)) continue;
      partition_blocked_[row.partition] = pass_;
      ++blocked;
      if (!overlapping) break;
      for (const int node : model_.partition_nodes[row.partition]) node_blocked_[node] = pass_;
      break;
    }
    if (blocked == component_->partitions_with_rows) break;
  }
  test_probes_before(everybody);
}

bool QueueReplay::has_enough_room(int shape) {
  ShapeNote& one = note(shape);
  if (one.known_room < 0) {
    one.known_room = rooms_.places_with_room(shape);
    if (one.known_room < model_.shapes[shape].nodes) return false;
    const NodeSet& room = rooms_.room(shape);
    for (std::size_t i = 0; i < room.size(); ++i) open_[i] |= room[i];
  }
  return one.known_room >= model_.shapes[shape].nodes;
}

/// Who might start in this pass, by what is free now.
void QueueReplay::find_candidates(ReplayTime now) {
  candidates_.clear();
  open_.assign(rooms_.words(), 0);
  std::size_t probe = 0;
  int tests = 0;
  const auto look_at_probes = [&](int row, std::size_t at) {
    for (; probe < component_->probes.size() && component_->probe_rows[probe] <= row; ++probe) {
      const Probe& one = probes_[component_->probes[probe]];
      const std::size_t next = probe_next_[probe];
      const bool window_counts = now <= settings_.window_delay;
      if ((next >= one.limits.size() && !window_counts) || !has_enough_room(one.shape)) continue;
      candidates_.push_back({at, one.shape, window_counts ? 1 : one.limits[next], -1, Plans::of_queue});
    }
  };
  for (std::size_t i = front_; i < active_.size(); ++i) {
    const Row& row = component_->rows[active_[i]];
    if (tasks_left_[row.job] == 0) continue;
    look_at_probes(active_[i], i);
    if (tests >= component_->backfill_depth) break;
    ++tests;
    if (has_enough_room(row.shape) && ready(row, now)) {
      candidates_.push_back({i + 1, row.shape, row.limit, row.reservation, Plans::all});
    }
  }
  if (tests < component_->backfill_depth) look_at_probes(everybody, active_.size());
  open_changed_ = true;
}

/// Forgets the last candidates who can't start any more: plans only become more in a pass, and room less. So the pass
/// goes no further than it must: behind the last one that might start, plans are made for nobody.
void QueueReplay::drop_candidates(ReplayTime now) {
  if (!open_changed_) return;
  open_changed_ = false;
  const auto possible = [&](const Candidate& one) {
    int left = model_.shapes[one.shape].nodes;
    if (rooms_.places_with_room(one.shape) < left) return false;
    rooms_.each_with_room(one.shape, [&](int node) {
      if (plans_.window(node, now, one.reservation, one.plans) >= one.limit) --left;
      return left > 0;
    });
    return left <= 0;
  };
  while (!candidates_.empty() && !possible(candidates_.back())) candidates_.pop_back();
}

void QueueReplay::backfill_pass(ReplayTime now) {
  ++pass_;
  close_up();
  plans_.forget();
  find_candidates(now);
  std::size_t probe = 0;
  int tests = 0;
  const auto test_probes_before = [&](int row) {
    const std::size_t first = probe;
    while (probe < component_->probes.size() && component_->probe_rows[probe] <= row) test_probe(probe++, now, true);
    // Ways of one job are in nobody's way among themselves, only in that of jobs behind.
    if (row == everybody) return;
    for (std::size_t i = first; i < probe; ++i) reserve_for_probe(i, now);
  };
  std::fill(partition_tests_.begin(), partition_tests_.end(), 0);
  for (std::size_t i = front_; i < active_.size(); ++i) {
    drop_candidates(now);
    if (candidates_.empty()) return;
    const Row& row = component_->rows[active_[i]];
    if (tasks_left_[row.job] == 0) continue;
    test_probes_before(active_[i]);
    if (i >= candidates_.back().end) return;
    if (!ready(row, now)) continue;
    if (++tests > component_->backfill_depth) return;
    if (model_.times.per_partition > 0 && ++partition_tests_[row.partition] > model_.times.per_partition) continue;
    if (model_.times.per_user > 0 && row.user >= 0) {
      if (user_pass_[row.user] != pass_) user_tests_[row.user] = 0;
      user_pass_[row.user] = pass_;
      if (++user_tests_[row.user] > model_.times.per_user) continue;
    }
    start_or_plan(row, now);
    if (model_.times.starts_a_pass > 0 && starts_ >= model_.times.starts_a_pass) return;
  }
  test_probes_before(everybody);
}

void QueueReplay::start_or_plan(const Row& row, ReplayTime now) {
  while (ready(row, now)) {
    if (try_start(row, now, true)) {
      if (model_.times.starts_a_pass > 0 && starts_ >= model_.times.starts_a_pass) return;
      continue;
    }
    if (row.priority < model_.times.least_priority) return;
    int plans = std::min(tasks_left_[row.job], std::max(1, model_.times.array_reservations));
    while (plans-- > 0 && reserve(row.shape, row.partition, row.limit, row.reservation, now, false)) {
    }
    return;
  }
}

bool QueueReplay::try_start(const Row& row, ReplayTime now, bool backfill) {
  ShapeNote& one = note(row.shape);
  if (row.limit >= one.too_long) return false;
  if (!choose_nodes(row.shape, row.limit, row.reservation, now, backfill)) {
    // Jobs of a reservation see other blocks than the rest.
    if (row.reservation < 0) one.too_long = row.limit;
    return false;
  }
  start(row, now);
  return true;
}

/// Slurm's choice: of the runs of neighbouring nodes that suffice, the one with the fewest free CPUs; else as many
/// nodes as it takes, from the fullest runs on. Fills chosen_ with nodes.
bool QueueReplay::choose_nodes(int number, ReplayTime limit, int reservation, ReplayTime now, bool backfill) {
  const Shape& shape = model_.shapes[number];
  const Plans plans = backfill ? Plans::all : Plans::none;
  chosen_.clear();
  starts_by_place_.clear();
  if (rooms_.places_with_room(number) < shape.nodes) return false;
  rooms_.each_with_room(number, [&](int node) {
    const bool barred = !backfill && node_blocked_[node] == pass_;
    if (!barred && plans_.window(node, now, reservation, plans) >= limit) {
      starts_by_place_.emplace_back(timeline_.free_cpus(node), node);
    }
    return true;
  });
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  if (starts_by_place_.size() < wanted) return false;
  std::size_t best = starts_by_place_.size();
  std::int64_t fewest = 0;
  for (std::size_t first = 0; first < starts_by_place_.size();) {
    std::size_t last = first;
    std::int64_t cpus = starts_by_place_[first].first;
    while (last + 1 < starts_by_place_.size() &&
           model_.positions[starts_by_place_[last + 1].second] == model_.positions[starts_by_place_[last].second] + 1) {
      cpus += starts_by_place_[++last].first;
    }
    if (last - first + 1 >= wanted && (best == starts_by_place_.size() || cpus < fewest)) {
      best = first;
      fewest = cpus;
    }
    first = last + 1;
  }
  if (best == starts_by_place_.size()) best = 0;
  for (std::size_t i = 0; i < wanted; ++i) chosen_.push_back(starts_by_place_[best + i].second);
  return true;
}

/// Made once a pass: the few that start in it end late. Those of other components are as in the snapshot.
const ReleaseSteps& QueueReplay::release_steps(int partition) {
  StepsOfPartition& one = steps_[partition];
  if (one.pass == pass_) return one.steps;
  one.pass = pass_;
  // Among thousands a few more or less hardly move a window's last end.
  const std::size_t changes = timeline_.changes().size();
  if (one.seen <= changes && changes - one.seen <= releases_.size() / few_of) return one.steps;
  one.seen = changes;
  ends_.clear();
  const std::uint64_t bit = std::uint64_t{1} << partition % 64;
  for (const Release& release : releases_) {
    if ((release.partitions & bit) != 0) ends_.push_back(release.limit_end);
  }
  one.steps.assign(ends_, ends_elsewhere_, model_.times.phase_of_steps);
  return one.steps;
}

/// Collects as many places as the shape has nodes, all free from the last one's time on. False: there are
/// not so many within the window.
bool QueueReplay::collect_places(EarliestStartQueue& queue, const Shape& shape, const ReleaseSteps& steps,
                                 ReplayTime limit, int reservation, ReplayTime now) {
  const ReplayTime last = now + model_.times.backfill_window;
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  collected_.clear();
  ReplayTime from = now;
  while (collected_.size() < wanted) {
    const auto earliest = queue.earliest(last);
    if (!earliest) return false;
    const StartTime next = *earliest;
    const ReplayTime tried = queue.becomes_free(next) ? steps.try_after(next.at) : next.at;
    const ReplayTime at = plans_.clear_from(shape.places[next.place], std::max(tried, from), limit, reservation);
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
      const ReplayTime moved = plans_.clear_from(shape.places[collected_[i].place], from, limit, reservation);
      if (moved == from) {
        ++i;
        continue;
      }
      queue.put({moved, collected_[i].place});
      collected_.erase(collected_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // The last one stays in: where it ends up is for the caller to put.
    if (collected_.size() < wanted) queue.remove(next.place);
  }
  collected_.front().at = from;
  return true;
}

bool QueueReplay::reserve(int shape_number, int partition, ReplayTime limit, int reservation, ReplayTime now,
                          bool probe) {
  ShapeNote& one = note(shape_number);
  if (limit >= one.no_plan) return false;
  const Shape& shape = model_.shapes[shape_number];
  if (one.queue == nullptr) one.queue = &rooms_.places_by_time(shape_number, now);
  EarliestStartQueue& queue = *one.queue;
  if (!collect_places(queue, shape, release_steps(partition), limit, reservation, now)) {
    for (const StartTime& place : collected_) queue.put(place);
    one.no_plan = limit;
    return false;
  }
  const ReplayTime from = collected_.front().at;
  const ReplayTime grain = model_.times.resolution;
  const auto phase = static_cast<ReplayTime>(model_.times.phase_of_resolution);
  const ReplayTime length = std::min(limit, never - from - grain);
  const ReplayTime begin = (from + phase) / grain * grain - phase;
  const ReplayTime end = (from + length + phase + grain - 1) / grain * grain - phase;
  for (const StartTime& place : collected_) {
    const int node = shape.places[place.place];
    plans_.add(node, {begin, end, probe});
    const std::size_t bit = rooms_.bit_of(node);
    if ((open_[bit / 64] >> bit % 64 & 1U) != 0) open_changed_ = true;
    queue.put({end, place.place});
  }
  return true;
}

void QueueReplay::test_probe(std::size_t number, ReplayTime now, bool backfill) {
  const Probe& probe = probes_[component_->probes[number]];
  ProbeOutcome& outcome = outcomes_[number];
  std::size_t& next = probe_next_[number];
  if (next >= probe.limits.size() && now > settings_.window_delay) return;
  const Shape& shape = model_.shapes[probe.shape];
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  starts_by_place_.clear();
  if (rooms_.places_with_room(probe.shape) < shape.nodes) return;
  rooms_.each_with_room(probe.shape, [&](int node) {
    if (!backfill && node_blocked_[node] == pass_) return true;
    const ReplayTime window = plans_.window(node, now, -1, backfill ? Plans::of_queue : Plans::none);
    if (window > 0) starts_by_place_.emplace_back(window, node);
    return true;
  });
  if (starts_by_place_.size() < wanted || !within_limits(probe.shared_limits, probe.amounts)) return;
  const auto nth = starts_by_place_.begin() + static_cast<std::ptrdiff_t>(wanted) - 1;
  std::nth_element(starts_by_place_.begin(), nth, starts_by_place_.end(), std::greater<>());
  const ReplayTime window = nth->first;
  if (now <= settings_.window_delay) outcome.window = std::max(outcome.window, window);
  if (next >= probe.limits.size() || probe.limits[next] > window) return;
  ReplayTime released = probe.shared_limits.empty() ? 0 : last_limited_end_;
  for (auto it = starts_by_place_.begin(); it <= nth; ++it) {
    released = std::max(released, timeline_.last_release(it->second));
  }
  const ReplayTime at = dated_back(now, released);
  const bool was_open = next <= probe.asked;
  while (next < probe.limits.size() && probe.limits[next] <= window) outcome.starts[next++] = at;
  if (was_open && next > probe.asked) --open_probes_;
}

void QueueReplay::reserve_for_probe(std::size_t number, ReplayTime now) {
  const Probe& probe = probes_[component_->probes[number]];
  if (probe_next_[number] > probe.asked || !within_limits(probe.shared_limits, probe.amounts)) return;
  reserve(probe.shape, probe.partition, probe.limits[probe.asked], -1, now, true);
}

}  // namespace rv::planner
