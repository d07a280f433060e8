// Reads the evidence for a diagnosis: the ends of the run's logs, and Slurm's records of the job.
#pragma once

#include "monitor/diagnosis/diagnosis.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Reads the last 64 KiB of each log: of the processes of up to 64 nodes, and of the batch scripts. Sorted by name. If
/// a candidate has won, only its script is read.
std::vector<LogTail> read_log_tails(const RunFolder& folder, const RunView& view);

/// Reads the ends of the logs of one element of an array, which ran on `node` (or began there).
std::vector<LogTail> element_logs(const RunFolder& folder, int index, const std::string& node);

/// Gathers the evidence of a run. `view`: its present state. Queries Slurm only if the run did not succeed: one
/// scontrol, one sacct, and one more scontrol for the nodes of a job that root cancelled.
RunEvidence gather_evidence(const RunFolder& folder, const RunView& view, slurm::Gateway& gateway);

/// Gathers the evidence of each of these elements, as if it were a run. Calls sacct once if an element failed or its
/// end was not recorded.
std::vector<RunEvidence> element_evidence(const RunFolder& folder, const RunView& view, const std::vector<int>& indices,
                                          slurm::Gateway& gateway);

}  // namespace rv::monitor
