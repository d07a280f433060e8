// How long a run's GPUs have done nothing, from samples of their load. Pure.
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

/// One sample of all of a run's GPUs.
struct GpuSample {
  planner::TimePoint time;
  std::optional<double> busiest;  // percent, of those that are known
  bool all_known = false;

  bool operator==(const GpuSample&) const = default;
};

/// Of an allocation that the newest sample found idle.
struct Idleness {
  std::chrono::seconds certain{0};   // idle in samples that were never more than five minutes apart
  std::chrono::seconds possible{0};  // since it was last seen at work, or since the run began
};

/// nullopt without samples, and if the newest one shows a busy GPU or has no reading. `samples` in any order;
/// `began`: when the run got its GPUs, if that is known.
std::optional<Idleness> idleness(std::vector<GpuSample> samples, const IdlePolicy& policy,
                                 std::optional<planner::TimePoint> began);

/// "idle for 42 min; the site ends idle allocations after 60 min", once that may be half over; else nothing.
std::optional<std::string> idle_warning(const Idleness& idleness, const IdlePolicy& policy);

/// Whether a sample says what the last one kept does not: half a minute has passed, or the answer is another.
bool worth_keeping(const GpuSample& sample, const std::vector<GpuSample>& kept, const IdlePolicy& policy);

/// One line of JSON with a newline, and back; torn lines are passed over.
std::string sample_line(const GpuSample& sample);
std::vector<GpuSample> parse_samples(std::string_view text);

}  // namespace rv::monitor
