// Bugs of single releases of Slurm that a user should know before a job is submitted.
#pragma once

#include <string>
#include <string_view>

namespace rv::slurm {

/// Returns the bug of this release ("25.05.1") with --time-min, and the way around it; empty if it has none.
std::string fault_of_time_min(std::string_view release);

/// Whether the release enforces MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount of a QOS. Releases before 24.05
/// store these limits and never compare a job with them. True for an unknown release.
bool enforces_run_minutes_of_qos(std::string_view release);

}  // namespace rv::slurm
