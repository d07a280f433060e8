// Releases of Slurm as numbers.
#pragma once

#include <string_view>

namespace rv::planner {

/// Returns 2505 for "25.05.8"; 0 if the version is not known.
int release_of(std::string_view version);

}  // namespace rv::planner
