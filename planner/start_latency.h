// From the moment in which a job may start to its start.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "planner/forecast.h"

namespace rv::planner {

/// Seconds, by trial, that go by for sbatch, for the controller, which counts whole seconds, and for the launch on the
/// node. `observed`: waits of earlier runs that were predicted to start at once, in any order; n of them decide
/// n/(n+10) of the trials, as in RunTimes, the rest is what was seen of such jobs on a Slurm under load.
std::vector<ReplayTime> start_latencies(std::vector<std::chrono::seconds> observed, std::uint64_t seed, int trials);

/// All starts of a prospect, later by that; a start beyond the horizon stays there.
void add_start_latency(Prospect& prospect, const std::vector<ReplayTime>& launches);

}  // namespace rv::planner
