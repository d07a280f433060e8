// The scheduler's two kinds of pass.
#include <algorithm>
#include <limits>

#include "planner/replay/queue_replay.h"

namespace rv::planner {

namespace {

constexpr int everybody = std::numeric_limits<int>::max();

}  // namespace

QueueReplay::ShapeNote& QueueReplay::note(int shape, int taker) {
  auto at = static_cast<std::size_t>(shape);
  if (taker >= 0) at += static_cast<std::size_t>(taker + 1) * model_.shapes.size();
  ShapeNote& one = notes_[at];
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

/// Free ones, or those that the taker could have.
bool QueueReplay::has_enough_nodes(int shape, int taker) {
  ShapeNote& one = note(shape, taker);
  if (one.known_free < 0) {
    FreeNodeIndex& nodes = index_of(taker);
    one.known_free = nodes.free_count(shape);
    if (one.known_free < model_.shapes[shape].nodes) return false;
    const NodeSet& free = nodes.free_nodes(shape);
    for (std::size_t i = 0; i < free.size(); ++i) open_[i] |= free[i];
  }
  return one.known_free >= model_.shapes[shape].nodes;
}

/// Who might start in this pass, by what is free now.
void QueueReplay::find_candidates(ReplayTime now) {
  candidates_.clear();
  open_.assign(free_nodes_.words(), 0);
  std::size_t probe = 0;
  int tests = 0;
  const auto look_at_probes = [&](int row, std::size_t at) {
    for (; probe < component_->probes.size() && component_->probe_rows[probe] <= row; ++probe) {
      const Probe& one = probes_[component_->probes[probe]];
      const std::size_t next = probe_next_[probe];
      const bool window_counts = now <= settings_.window_delay;
      if (next >= one.limits.size() && !window_counts) continue;
      if (!has_enough_nodes(one.shape, one.taker)) continue;
      candidates_.push_back({at, one.shape, window_counts ? 1 : one.limits[next], -1, Plans::of_queue, one.taker});
    }
  };
  for (std::size_t i = front_; i < active_.size(); ++i) {
    const Row& row = component_->rows[active_[i]];
    if (tasks_left_[row.job] == 0) continue;
    look_at_probes(active_[i], i);
    if (tests >= component_->backfill_depth) break;
    ++tests;
    if (has_enough_nodes(row.shape, row.taker) && ready(row, now)) {
      candidates_.push_back({i + 1, row.shape, row.limit, row.reservation, Plans::all, row.taker});
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
    FreeNodeIndex& nodes = index_of(one.taker);
    int left = model_.shapes[one.shape].nodes;
    if (nodes.free_count(one.shape) < left) return false;
    nodes.each_free(one.shape, [&](int node) {
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
    // Strategies of one job do not stand in each other's way among themselves, only in that of jobs behind.
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
  if (row.limit < one.too_long) {
    if (choose_nodes(row.shape, row.limit, row.reservation, now, backfill)) {
      start(row, now);
      return true;
    }
    // Jobs of a reservation see other blocks than the rest.
    if (row.reservation < 0) one.too_long = row.limit;
  }
  if (row.taker < 0 || !choose_to_take(row, now, backfill)) return false;
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
  if (free_nodes_.free_count(number) < shape.nodes) return false;
  free_nodes_.each_free(number, [&](int node) {
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
  if (one.queue == nullptr) one.queue = &free_nodes_.places_by_time(shape_number, now);
  EarliestStartQueue& queue = *one.queue;
  if (!collect_places(queue, shape, steps_.of(partition, running_, pass_, timeline_.changes().size()), limit,
                      reservation, now)) {
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
    const std::size_t bit = free_nodes_.bit_of(node);
    if ((open_[bit / 64] >> bit % 64 & 1U) != 0) open_changed_ = true;
    queue.put({end, place.place});
  }
  return true;
}

}  // namespace rv::planner
