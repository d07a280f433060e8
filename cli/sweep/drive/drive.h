// Going through a sweep, on the machine that this process is on.
#pragma once

#include <functional>
#include <string>

#include "cli/sweep/drive/report_folder.h"

namespace rv::sweep {

struct DriveEnd {
  bool interrupted = false;
  std::string search;  // how --find-max ended
};

/// Runs what is left of the sweep in the folder, each point with the sampler beside it, and writes what is known after
/// each. What a point printed on the way is in its folder; `say` gets a line for people. Ctrl-C and SIGTERM end the
/// point and the sweep; the point is run again next time. `one_point`: ends after the next one. May be called once in a
/// process: it adopts orphans. Throws Error: no GPU where one is wanted, no such program, no image for
/// it, another process at the same sweep.
DriveEnd drive(const ReportFolder& folder, const std::string& sampler,
               const std::function<void(const std::string&)>& say, bool one_point = false);

}  // namespace rv::sweep
