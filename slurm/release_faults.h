// Faults of single releases of Slurm that a user should know of before a job is submitted.
#pragma once

#include <string>
#include <string_view>

namespace rv::slurm {

/// What this release ("25.05.1") does wrong with --time-min, and the way out; empty for one that does not.
std::string fault_of_time_min(std::string_view release);

}  // namespace rv::slurm
