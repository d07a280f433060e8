#include "planner/replay/nodes/free_node_index.h"

#include <algorithm>

namespace rv::planner {

FreeNodeIndex::FreeNodeIndex(const ReplayModel& model, const NodeTimeline& timeline)
    : model_(model), timeline_(timeline), bits_(model.nodes.size()), shapes_(model.shapes.size()) {}

FreeNodeIndex::FreeNodeIndex(const ReplayModel& model, const NodeTimeline& timeline,
                             const PreemptibleResources& preemptible, int preemptor)
    : FreeNodeIndex(model, timeline) {
  preemptible_ = &preemptible;
  preemptor_ = preemptor;
}

bool FreeNodeIndex::fits_now(int node, int demand) const {
  if (preemptible_ == nullptr) return timeline_.fits_now(node, demand);
  return timeline_.fits_without(node, demand, preemptible_->of(preemptor_, node));
}

bool FreeNodeIndex::fitted_at_first(int node, int demand) const {
  if (preemptible_ == nullptr) return timeline_.fitted_at_first(node, demand);
  return timeline_.fitted_without_at_first(node, demand, preemptible_->first_of(preemptor_, node));
}

void FreeNodeIndex::enter(const std::vector<int>& nodes) {
  nodes_ = &nodes;
  words_ = (nodes.size() + 63) / 64;
  for (std::size_t i = 0; i < nodes.size(); ++i) bits_[nodes[i]] = static_cast<int>(i);
  changed_.assign(words_, 0);
}

void FreeNodeIndex::reset() {
  ++trial_;
}

FreeNodeIndex::OfShape& FreeNodeIndex::of(int shape) {
  OfShape& one = shapes_[shape];
  if (!one.all.empty() || words_ == 0) return one;
  const Shape& wanted = model_.shapes[shape];
  one.all.assign(words_, 0);
  one.first_free.assign(words_, 0);
  one.rank.assign(words_, 0);
  for (const int node : wanted.places) {
    const std::size_t bit = bit_of(node);
    one.all[bit / 64] |= std::uint64_t{1} << bit % 64;
    if (!fitted_at_first(node, wanted.demand)) continue;
    one.first_free[bit / 64] |= std::uint64_t{1} << bit % 64;
    ++one.first_count;
  }
  for (std::size_t i = 1; i < words_; ++i) one.rank[i] = one.rank[i - 1] + std::popcount(one.all[i - 1]);
  return one;
}

/// Calls for each place whose node has changed, with its word and bit.
template <typename Call>
void FreeNodeIndex::each_change(const OfShape& one, std::size_t since, const Call& call) {
  const std::vector<int>& changes = timeline_.changes();
  // A few are looked at one by one, even twice; many are gathered first, as they repeat themselves.
  constexpr std::size_t few = 24;
  if (changes.size() - since <= few) {
    for (std::size_t i = since; i < changes.size(); ++i) {
      const std::size_t bit = bit_of(changes[i]);
      if ((one.all[bit / 64] >> bit % 64 & 1U) != 0) call(bit / 64, bit % 64);
    }
    return;
  }
  std::fill(changed_.begin(), changed_.end(), 0);
  for (std::size_t i = since; i < changes.size(); ++i) {
    const std::size_t bit = bit_of(changes[i]);
    changed_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::uint64_t left = changed_[word] & one.all[word]; left != 0; left &= left - 1) {
      call(word, static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

void FreeNodeIndex::bring_up_to_date(int shape) {
  OfShape& one = of(shape);
  if (one.trial != trial_) {
    one.trial = trial_;
    one.free = one.first_free;
    one.count = one.first_count;
    one.seen = 0;
  }
  const int demand = model_.shapes[shape].demand;
  each_change(one, one.seen, [&](std::size_t word, std::size_t bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    const bool had = (one.free[word] & mask) != 0;
    if (fits_now(node_at(word * 64 + bit), demand) == had) return;
    one.free[word] ^= mask;
    one.count += had ? -1 : 1;
  });
  one.seen = timeline_.changes().size();
}

EarliestStartQueue& FreeNodeIndex::places_by_time(int shape, ReplayTime now) {
  OfShape& one = of(shape);
  const Shape& wanted = model_.shapes[shape];
  if (!one.has_queue) {
    one.has_queue = true;
    std::vector<ReplayTime> times;
    times.reserve(wanted.places.size());
    for (const int node : wanted.places) times.push_back(timeline_.first_free_from(node, wanted.demand));
    one.first_queue.assign(times);
  }
  if (one.queue_draw != trial_) {
    one.queue_draw = trial_;
    one.queue = one.first_queue;
    one.queue_seen = 0;
  }
  each_change(one, one.queue_seen, [&](std::size_t word, std::size_t bit) {
    const std::uint64_t below = one.all[word] & ((std::uint64_t{1} << bit) - 1);
    const int place = one.rank[word] + std::popcount(below);
    one.queue.set(place, timeline_.free_from(node_at(word * 64 + bit), wanted.demand));
  });
  one.queue_seen = timeline_.changes().size();
  one.queue.begin(now);
  return one.queue;
}

}  // namespace rv::planner
