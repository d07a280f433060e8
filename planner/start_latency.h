// The time from the moment at which a job may start to its start.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "planner/forecast.h"

namespace rv::planner {

/// Returns a latency in seconds for each trial: the time for sbatch, for the controller, which counts whole seconds,
/// and for the launch on the node. `observed`: waits of earlier runs that were predicted to start at once, in any
/// order. With n of them, n/(n+10) of the trials use them (as in RunTimes); the other trials use waits measured on a
/// loaded Slurm.
std::vector<ReplayTime> start_latencies(std::vector<std::chrono::seconds> observed, std::uint64_t seed, int trials);

/// Adds the latencies to all starts of a prospect, by trial. A start after the horizon stays `never`.
void add_start_latency(Prospect& prospect, const std::vector<ReplayTime>& launches);

}  // namespace rv::planner
