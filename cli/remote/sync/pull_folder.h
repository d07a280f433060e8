// The default folder of rv pull for a run's output.
#pragma once

namespace rv::sync {

/// Below the current folder; never pushed.
inline constexpr const char* pull_folder = "rv-output";

}  // namespace rv::sync
