#include "planner/place_queue.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace rv::planner {

namespace {

constexpr Tick removed = std::numeric_limits<Tick>::max();

}  // namespace

void PlaceQueue::assign(const std::vector<Tick>& times) {
  leaves_ = std::bit_ceil(std::max<std::size_t>(times.size(), 1));
  known_ = times;
  tree_.assign(2 * leaves_, removed);
  std::copy(times.begin(), times.end(), tree_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t i = leaves_ - 1; i > 0; --i) tree_[i] = std::min(tree_[2 * i], tree_[2 * i + 1]);
  touched_.clear();
}

void PlaceQueue::write(std::size_t leaf, Tick at) {
  std::size_t i = leaf + leaves_;
  tree_[i] = at;
  while (i > 1) {
    i /= 2;
    const Tick least = std::min(tree_[2 * i], tree_[2 * i + 1]);
    if (tree_[i] == least) return;
    tree_[i] = least;
  }
}

void PlaceQueue::set(int place, Tick at) {
  const auto leaf = static_cast<std::size_t>(place);
  if (known_[leaf] == at) return;
  known_[leaf] = at;
  write(leaf, at);
}

void PlaceQueue::begin(Tick now) {
  now_ = now;
  for (const int place : touched_) write(static_cast<std::size_t>(place), known_[place]);
  touched_.clear();
}

std::optional<PlaceTime> PlaceQueue::earliest(Tick last) const {
  const Tick least = tree_[1];
  const Tick at = least == free_now ? now_ : std::max(least, now_ + 1);
  if (least == removed || at > last) return std::nullopt;
  // The first place that is free by then; the overdue count as one time.
  const Tick bound = least == free_now ? free_now : at;
  std::size_t i = 1;
  while (i < leaves_) {
    i *= 2;
    if (tree_[i] > bound) ++i;
  }
  return PlaceTime{at, static_cast<int>(i - leaves_)};
}

void PlaceQueue::remove(int place) {
  write(static_cast<std::size_t>(place), removed);
  touched_.push_back(place);
}

void PlaceQueue::put(PlaceTime one) {
  write(static_cast<std::size_t>(one.place), one.at <= now_ ? free_now : one.at);
  touched_.push_back(one.place);
}

}  // namespace rv::planner
