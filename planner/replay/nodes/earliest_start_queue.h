// A priority queue of a shape's places by the earliest time at which they are free; ties go to the lowest place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// When a place is free at the earliest, as far as is known yet.
struct StartTime {
  ReplayTime at = 0;
  int place = 0;
  auto operator<=>(const StartTime&) const = default;
};

/// A tournament tree of (time, place): it is kept between passes, since few keys change, and only those are
/// replayed.
class EarliestStartQueue {
 public:
  /// The place is free already, whenever that is asked.
  static constexpr ReplayTime free_now = -never;

  void assign(const std::vector<ReplayTime>& times);

  /// What is known of a place from now on. To be called between passes, before begin().
  void set(int place, ReplayTime at);

  /// A new pass: what the last one removed and put is forgotten. Nothing comes out earlier than `now`, and what is
  /// overdue (a job past its limit is expected to be over any moment) at now + 1.
  void begin(ReplayTime now);

  /// Nothing when there is none up to `last`.
  std::optional<StartTime> earliest(ReplayTime last) const {
    const auto time = static_cast<ReplayTime>(keys_[root_] >> place_bits);
    if (time > last || time == removed) return std::nullopt;
    const auto place = static_cast<int>(keys_[root_] & ((Key{1} << place_bits) - 1));
    return StartTime{time == free_now ? now_ : time, place};
  }
  /// Whether it is known of the place that it becomes free then, apart from what was put in this pass.
  bool becomes_free(StartTime one) const {
    return known_[one.place] != free_now && one.at == std::max(known_[one.place], now_ + 1);
  }
  /// Calls with each place that may be free by `last`, in the order of places, until the call returns false.
  template <typename Call>
  void each_until(ReplayTime last, const Call& call) const {
    const Key bound = key(last + 1, 0);
    if (keys_[root_] >= bound) return;
    if (root_ == 0) {
      call(0);
    } else {
      visit(levels_.size() - 1, 0, bound, call);
    }
  }
  /// Until the next begin():
  void remove(int place) { put_key(place, removed); }
  void put(StartTime one) { put_key(one.place, one.at <= now_ ? free_now : one.at); }

 private:
  /// Time and place in one number, so that the smallest key wins.
  using Key = std::int64_t;
  static constexpr int place_bits = 32;
  static constexpr ReplayTime removed = std::numeric_limits<ReplayTime>::max();
  /// Keys that play against each other: half a cache line, and few enough to be compared without a branch.
  static constexpr std::size_t fan = 4;

  static Key key(ReplayTime at, int place) { return static_cast<Key>(at) * (Key{1} << place_bits) + place; }
  Key known_key(int place) const;
  void put_key(int place, ReplayTime at);
  void write(int place, Key key);
  void play_all();

  /// Visits a subtree, which is not a place alone, for keys below the bound. False once `call` has returned false.
  template <typename Call>
  bool visit(std::size_t level, std::size_t index, Key bound, const Call& call) const {
    const Key* below = keys_.data() + levels_[level - 1];
    for (std::size_t i = index * fan; i < (index + 1) * fan; ++i) {
      if (below[i] >= bound) continue;
      if (level == 1 ? !call(static_cast<int>(i)) : !visit(level - 1, i, bound, call)) return false;
    }
    return true;
  }

  std::vector<std::size_t> levels_;  // where each begins in keys_: the places, their winners, the winners of these, …
  std::size_t root_ = 0;
  std::vector<Key> keys_;
  std::vector<ReplayTime> known_;  // by place
  std::vector<int> touched_;       // places whose key may not be the known one
  std::vector<int> overdue_;       // of this pass
  ReplayTime now_ = 0;
};

}  // namespace rv::planner
