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

/// What this machine holds on behalf of what is run here, to be compared before and after.
struct Footprint {
  struct Gpu {
    std::optional<std::uint64_t> used_bytes;
    std::optional<std::set<unsigned>> pids;  ///< that have a context there
  };
  /// This user's shared memory: /dev/shm/NAME, "System V 17"; of the latter what no living process has made.
  std::set<std::string> segments;
  int descriptors = 0;  ///< that this process has open
  std::vector<Gpu> gpus;
};

Footprint look_at_footprint(Nvml* nvml, const std::vector<GivenGpu>& gpus);

/// What is to be known of the time in between.
struct Between {
  std::set<unsigned> pids;                    ///< whose contexts must be gone
  std::map<std::string, std::string> makers;  ///< of segments, where that was seen: "worker 3"
  std::vector<std::string> left_processes;    ///< each a sentence; they were ended
  std::chrono::milliseconds settle{10'000};   ///< until then everything must be as before
  double seconds_to_end = 0;                  ///< until the last process was gone
};

/// Waits until all is as before, for as long as is allowed, and says of processes, contexts, GPU memory, shared memory
/// and descriptors whether it is. What others do on a GPU at the same time is no leak, and hides one: a skip. Shared
/// memory whose maker is known is removed.
std::vector<Measurement> judge_footprint(const Footprint& before, const Between& between, Nvml* nvml,
                                         const std::vector<GivenGpu>& gpus);

/// Segments that are there now and were not before.
std::vector<std::string> new_segments(const Footprint& before, const Footprint& now);

}  // namespace rv::workers
