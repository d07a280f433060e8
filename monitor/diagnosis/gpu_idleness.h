// How long a run's GPUs have done nothing, from looks at them. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::monitor {

/// When a site ends an allocation: all of its GPUs busy for less than `below` percent, for `after`.
struct IdlePolicy {
  double below = 0;
  std::chrono::seconds after{0};
};

/// One look at all of a run's GPUs.
struct GpuLook {
  planner::TimePoint time;
  std::optional<double> busiest;  // percent, of those that are known
  bool all_known = false;

  bool operator==(const GpuLook&) const = default;
};

/// Of an allocation that the newest look found idle.
struct Idleness {
  std::chrono::seconds certain{0};   // idle at looks that were never more than five minutes apart
  std::chrono::seconds possible{0};  // since it was last seen at work, or since the run began
};

/// Nothing when there is no look, or the newest found a GPU at work or could not tell. `looks` in any order; `began`:
/// when the run got its GPUs, if that is known.
std::optional<Idleness> idleness(std::vector<GpuLook> looks, const IdlePolicy& policy,
                                 std::optional<planner::TimePoint> began);

/// "idle for 42 min; the site ends idle allocations after 60 min", once that may be half over; else nothing.
std::optional<std::string> idle_warning(const Idleness& idleness, const IdlePolicy& policy);

/// Whether a look says what the last one kept does not: half a minute has passed, or the answer is another.
bool worth_keeping(const GpuLook& look, const std::vector<GpuLook>& kept, const IdlePolicy& policy);

/// One line of JSON with a newline, and back; torn lines are passed over.
std::string look_line(const GpuLook& look);
std::vector<GpuLook> parse_looks(std::string_view text);

}  // namespace rv::monitor
