#include "planner/replay/nodes/earliest_start_queue.h"

#include <algorithm>

namespace rv::planner {

namespace {

std::int64_t least_of(const std::int64_t* keys) {
  return std::min(std::min(keys[0], keys[1]), std::min(keys[2], keys[3]));
}

}  // namespace

void EarliestStartQueue::assign(const std::vector<ReplayTime>& times) {
  const auto whole_groups = [](std::size_t count) { return (count + fan - 1) / fan * fan; };
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
  for (int place = 0; place < places; ++place) keys_[place] = known_key(place);
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
  touched_.push_back(place);
}

void EarliestStartQueue::begin(ReplayTime now) {
  // Few play again on their own, many with all.
  constexpr std::size_t as_dear = 8;
  now_ = now;
  if (touched_.size() * as_dear > known_.size()) {
    play_all();
  } else {
    for (const int place : touched_) write(place, known_key(place));
    // What is overdue comes out later in each pass.
    overdue_.clear();
    each_until(now, [&](int place) {
      if (known_[place] != free_now) overdue_.push_back(place);
      return true;
    });
    for (const int place : overdue_) write(place, known_key(place));
  }
  touched_.clear();
}

}  // namespace rv::planner
