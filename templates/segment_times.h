// The times of one segment of a chain.
#pragma once

#include <chrono>

#include "templates/job_spec.h"

namespace rv::templates {

struct SegmentTimes {
  std::chrono::seconds shortest{0};  // Slurm may shorten the segment to this length; 0: it may not
  std::chrono::seconds least{0};     // the shortest time limit that the segment can get
  std::chrono::seconds warning{0};   // time between the warning and SIGTERM
};

/// The times of a segment whose job has this time limit.
SegmentTimes segment_times(const Chain& chain, std::chrono::seconds time_limit);

}  // namespace rv::templates
