// Computes how long a run's GPUs have been idle, from samples of their load. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::monitor {

/// A site's rule for ending an allocation: all of its GPUs were less than `below` percent busy for the time `after`.
struct IdlePolicy {
  double below = 0;
  std::chrono::seconds after{0};
};

/// One sample of all of a run's GPUs.
struct GpuSample {
  planner::TimePoint time;
  std::optional<double> busiest;  // percent, of the GPUs whose load is known
  bool all_known = false;

  bool operator==(const GpuSample&) const = default;
};

/// How long an allocation has been idle, if its newest sample is idle.
struct Idleness {
  std::chrono::seconds certain{0};   // by samples that are at most five minutes apart
  std::chrono::seconds possible{0};  // since the last busy sample, or since the run began
};

/// Nothing without samples, or if the newest one shows a busy GPU or has no reading. `samples` are in any order.
/// `began`: when the run got its GPUs; nothing: unknown.
std::optional<Idleness> idleness(std::vector<GpuSample> samples, const IdlePolicy& policy,
                                 std::optional<planner::TimePoint> began);

/// Returns "idle for 42 min; the site ends idle allocations after 60 min" when half of that time may have passed; else
/// nothing.
std::optional<std::string> idle_warning(const Idleness& idleness, const IdlePolicy& policy);

/// Whether to keep a sample: half a minute has passed since the last kept one, or its result (idle, busy, unknown) is
/// another.
bool worth_keeping(const GpuSample& sample, const std::vector<GpuSample>& kept, const IdlePolicy& policy);

/// Write and read samples as lines of JSON. Incomplete lines are skipped.
std::string sample_line(const GpuSample& sample);
std::vector<GpuSample> parse_samples(std::string_view text);

}  // namespace rv::monitor
