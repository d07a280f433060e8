// Places of a shape by the time from which they are free: the earliest comes out first, of equals the first place.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "planner/replay_model.h"

namespace rv::planner {

/// When a place is free at the earliest, as far as is known yet.
struct PlaceTime {
  Tick at = 0;
  int place = 0;
  auto operator<=>(const PlaceTime&) const = default;
};

/// A tournament tree: what changes from one pass to the next is little, so that it is kept, and only what has changed
/// plays again.
class PlaceQueue {
 public:
  /// The place is free already, whenever that is asked.
  static constexpr Tick free_now = -never;

  void assign(const std::vector<Tick>& times);

  /// What is known of a place from now on. To be called between passes, before begin().
  void set(int place, Tick at);

  /// A new pass: what the last one removed and put is forgotten. Nothing comes out earlier than `now`, and what is
  /// overdue (a job past its limit is expected to be over any moment) at now + 1.
  void begin(Tick now);

  /// Nothing when there is none up to `last`.
  std::optional<PlaceTime> earliest(Tick last) const;
  /// Until the next begin():
  void remove(int place);
  void put(PlaceTime one);

 private:
  void write(std::size_t leaf, Tick at);

  std::size_t leaves_ = 0;    // a power of two
  std::vector<Tick> tree_;    // the root at 1, leaves from leaves_ on; each inner one the least of its two
  std::vector<Tick> known_;   // by place: the leaf, but for what this pass did
  std::vector<int> touched_;  // places that this pass removed or put
  Tick now_ = 0;
};

}  // namespace rv::planner
