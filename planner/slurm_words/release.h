// Releases of Slurm as numbers.
#pragma once

#include <string_view>

namespace rv::planner {

/// 2505 of "25.05.8"; 0 where the version is not known.
int release_of(std::string_view version);

}  // namespace rv::planner
