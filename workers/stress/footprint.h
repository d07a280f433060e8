#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workers/report/report.h"
#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// The resources that this user's processes hold on this machine, to be compared before and after a test.
struct Footprint {
  struct Gpu {
    std::optional<std::uint64_t> used_bytes;
    std::optional<std::set<unsigned>> pids;  ///< processes with a context on the GPU
  };
  /// Shared memory of this user: "/dev/shm/NAME", "System V 17"; System V segments only if their creator has ended.
  std::set<std::string> segments;
  int descriptors = 0;  ///< open in this process
  std::vector<Gpu> gpus;
};

Footprint look_at_footprint(Nvml* nvml, const std::vector<GivenGpu>& gpus);

/// What is known about the time between the two footprints.
struct Between {
  std::set<unsigned> pids;                    ///< processes whose contexts must be gone
  std::map<std::string, std::string> makers;  ///< creators of segments, if known: "worker 3"
  std::vector<std::string> left_processes;    ///< one sentence per process; they have been ended
  std::chrono::milliseconds settle{10'000};   ///< time until everything must be as before
  double seconds_to_end = 0;                  ///< time until the last process was gone
};

/// Waits until everything is as before, for at most `between.settle`, and judges processes, contexts, GPU memory,
/// shared memory and descriptors. Memory that other users allocate on a GPU is not counted as a leak, but could hide
/// one, so that measurement is a skip. Shared memory with a known creator is removed.
std::vector<Measurement> judge_footprint(const Footprint& before, const Between& between, Nvml* nvml,
                                         const std::vector<GivenGpu>& gpus);

/// Segments in `now` that are not in `before`.
std::vector<std::string> new_segments(const Footprint& before, const Footprint& now);

}  // namespace rv::workers
