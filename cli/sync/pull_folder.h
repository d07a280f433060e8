// Where rv pull puts a run's output when nobody says where.
#pragma once

namespace rv::cli::sync {

/// Below the current folder; never pushed.
inline constexpr const char* pull_folder = "rv-output";

}  // namespace rv::cli::sync
