// Divides work into segments that start soon.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "planner/cluster/strategy.h"
#include "planner/forecast.h"

namespace rv::planner {

struct Segments {
  std::chrono::seconds length{0};  // time limit of each
  int count = 1;
  Wait wait;                       // predicted wait of the first segment
  std::chrono::seconds finish{0};  // expected end: all waits, the work, and a restart before each segment but the first
};

/// Returns the number of segments of `length` that do `work`, if each but the first loses `restart`. Nothing if the
/// work needs a second segment and `length` is not longer than `restart`.
std::optional<int> segments_needed(std::chrono::seconds work, std::chrono::seconds length,
                                   std::chrono::seconds restart);

/// Returns the segments with the earliest expected end. It tries the time limits that were replayed, from half an hour
/// to `longest`. Each segment is assumed to wait as long as the first (the median), because nothing better is known
/// about later queues. Nothing if no segment starts within the replay.
std::optional<Segments> best_segments(const Prospect& prospect, std::chrono::seconds work, std::chrono::seconds longest,
                                      std::chrono::seconds restart, const std::string& basis);

}  // namespace rv::planner
