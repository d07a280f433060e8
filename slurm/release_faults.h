// Faults of single releases of Slurm that a user should know of before a job is submitted.
#pragma once

#include <string>
#include <string_view>

namespace rv::slurm {

/// What this release ("25.05.1") does wrong with --time-min, and the way out; empty for one that does not.
std::string fault_of_time_min(std::string_view release);

/// False for the releases before 24.05, which store MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount of a QOS and
/// never compare a job with them. True for an unknown release.
bool enforces_run_minutes_of_qos(std::string_view release);

}  // namespace rv::slurm
