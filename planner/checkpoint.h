// How to cut work into segments that start soon.
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
  Wait wait;                       // of the first
  std::chrono::seconds finish{0};  // expected: all waits, the work, and a restart before each segment but the first
};

/// Segments needed for so much work when each but the first repeats `restart` of it. Empty where a segment has room for
/// nothing else.
std::optional<int> segments_needed(std::chrono::seconds work, std::chrono::seconds length,
                                   std::chrono::seconds restart);

/// The length, out of those that were replayed and are at least half an hour and at most `longest`, with the earliest
/// expected end. Each segment is taken to wait as long as the first (the median): later queues are not known better.
/// Empty where no such segment is seen to start.
std::optional<Segments> best_segments(const Prospect& prospect, std::chrono::seconds work, std::chrono::seconds longest,
                                      std::chrono::seconds restart, const std::string& basis);

}  // namespace rv::planner
