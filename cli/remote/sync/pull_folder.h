// Where rv pull puts a run's output when nobody says where.
#pragma once

namespace rv::sync {

/// Below the current folder; never pushed.
inline constexpr const char* pull_folder = "rv-output";

}  // namespace rv::sync
