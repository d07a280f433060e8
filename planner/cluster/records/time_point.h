// A moment of the snapshot, to the second.
#pragma once

#include <chrono>

namespace rv::planner {

using TimePoint = std::chrono::sys_seconds;

}  // namespace rv::planner
