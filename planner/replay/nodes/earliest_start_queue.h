// A priority queue of a shape's places (indices in Shape::places) by the earliest time at which they are free; ties go
// to the lowest place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The earliest time at which a place is free, as far as is known.
struct StartTime {
  ReplayTime at = 0;
  int place = 0;
  auto operator<=>(const StartTime&) const = default;
};

/// A tournament tree of (time, place). It is kept between passes: few keys change, and only their paths are updated.
class EarliestStartQueue {
 public:
  /// The time of a place that is free now.
  static constexpr ReplayTime free_now = -never;

  void assign(const std::vector<ReplayTime>& times);

  /// Sets the known time of a place. Call it between passes, before begin().
  void set(int place, ReplayTime at);

  /// Starts a pass and undoes remove() and put() of the last one. No time is returned as earlier than `now`; times in
  /// the past, of jobs that have exceeded their limit, count as now + 1.
  void begin(ReplayTime now);

  /// Returns the place with the earliest time; nothing if that is later than `last`.
  std::optional<StartTime> earliest(ReplayTime last) const {
    const auto time = static_cast<ReplayTime>(keys_[root_] >> place_bits);
    if (time > last || time == removed) return std::nullopt;
    const auto place = static_cast<int>(keys_[root_] & ((Key{1} << place_bits) - 1));
    return StartTime{time == free_now ? now_ : time, place};
  }
  /// Whether this is the known time of the place, rather than one from put() in this pass.
  bool becomes_free(StartTime one) const {
    return known_[one.place] != free_now && one.at == std::max(known_[one.place], now_ + 1);
  }
  /// Calls `call(place)` for each place that may be free by `last`, ascending, until it returns false.
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
  /// These two last until the next begin().
  void remove(int place) { put_key(place, removed); }
  void put(StartTime one) { put_key(one.place, one.at <= now_ ? free_now : one.at); }

 private:
  /// Time and place in one integer: the smallest key is the earliest, lowest place.
  using Key = std::int64_t;
  static constexpr int place_bits = 32;
  static constexpr ReplayTime removed = std::numeric_limits<ReplayTime>::max();
  /// Children of a tree node: half a cache line of keys, few enough to compare without a branch.
  static constexpr std::size_t fan = 4;

  static Key key(ReplayTime at, int place) { return static_cast<Key>(at) * (Key{1} << place_bits) + place; }
  Key known_key(int place) const;
  void put_key(int place, ReplayTime at);
  void write(int place, Key key);
  void play_all();

  /// Visits the keys below the bound in a subtree of more than one place. Returns false once `call` has returned false.
  template <typename Call>
  bool visit(std::size_t level, std::size_t index, Key bound, const Call& call) const {
    const Key* below = keys_.data() + levels_[level - 1];
    for (std::size_t i = index * fan; i < (index + 1) * fan; ++i) {
      if (below[i] >= bound) continue;
      if (level == 1 ? !call(static_cast<int>(i)) : !visit(level - 1, i, bound, call)) return false;
    }
    return true;
  }

  std::vector<std::size_t> levels_;  // where each level begins in keys_: places, then the winners of each level below
  std::size_t root_ = 0;
  std::vector<Key> keys_;
  std::vector<ReplayTime> known_;  // by place
  std::vector<int> touched_;       // places whose key may differ from the known one
  std::vector<int> overdue_;       // places, of this pass
  ReplayTime now_ = 0;
};

}  // namespace rv::planner
