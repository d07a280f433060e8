#include "planner/replay/nodes/earliest_start_queue.h"

#include <algorithm>

namespace rv::planner {

namespace {

/// Keys that play against each other: half a cache line, and few enough to be compared without a branch.
constexpr std::size_t fan = 4;

std::int64_t least_of(const std::int64_t* keys) {
  return std::min(std::min(keys[0], keys[1]), std::min(keys[2], keys[3]));
}

std::size_t whole_groups(std::size_t count) {
  return (count + fan - 1) / fan * fan;
}

}  // namespace

void EarliestStartQueue::assign(const std::vector<ReplayTime>& times) {
  known_ = times;
  levels_.assign(1, 0);
  std::size_t size = std::max<std::size_t>(times.size(), 1);
  while (size > 1) {
    levels_.push_back(levels_.back() + whole_groups(size));
    size = whole_groups(size) / fan;
  }
  root_ = levels_.back();
  keys_.assign(root_ + 1, key(removed, 0));
  touched_.clear();
  play_all();
}

/// As it counts in this pass.
EarliestStartQueue::Key EarliestStartQueue::known_key(int place) const {
  const ReplayTime at = known_[place];
  return key(at == free_now ? at : std::max(at, now_ + 1), place);
}

void EarliestStartQueue::play_all() {
  const auto places = static_cast<int>(known_.size());
  first_due_ = removed;
  for (int place = 0; place < places; ++place) {
    keys_[place] = known_key(place);
    if (known_[place] != free_now) first_due_ = std::min(first_due_, known_[place]);
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    const std::size_t size = (levels_[level] - levels_[level - 1]) / fan;
    const Key* below = keys_.data() + levels_[level - 1];
    Key* winners = keys_.data() + levels_[level];
    for (std::size_t i = 0; i < size; ++i) winners[i] = least_of(below + i * fan);
  }
}

void EarliestStartQueue::write(int place, Key key) {
  auto i = static_cast<std::size_t>(place);
  keys_[i] = key;
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    i /= fan;
    const Key least = least_of(keys_.data() + levels_[level - 1] + i * fan);
    Key& winner = keys_[levels_[level] + i];
    if (winner == least) return;
    winner = least;
  }
}

void EarliestStartQueue::put_key(int place, ReplayTime at) {
  write(place, key(at, place));
  touched_.push_back(place);
}

void EarliestStartQueue::set(int place, ReplayTime at) {
  if (known_[place] == at) return;
  known_[place] = at;
  if (at != free_now) first_due_ = std::min(first_due_, at);
  touched_.push_back(place);
}

void EarliestStartQueue::begin(ReplayTime now) {
  // Few play again on their own, many with all.
  constexpr std::size_t as_dear = 8;
  now_ = now;
  // What is overdue comes out later in each pass.
  if (first_due_ <= now || touched_.size() * as_dear > known_.size()) {
    play_all();
  } else {
    for (const int place : touched_) write(place, known_key(place));
  }
  touched_.clear();
}

}  // namespace rv::planner
