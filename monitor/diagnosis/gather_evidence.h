// Reading what a diagnosis needs: bounded parts of the run's logs, and what Slurm still knows of the job.
#pragma once

#include "monitor/diagnosis/diagnosis.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// The ends of a run's logs, sorted by name: of the processes of up to 64 nodes and of the batch scripts, 64 KiB each.
/// Of the candidates, only the winner's script counts once there is one.
std::vector<LogTail> read_log_tails(const RunFolder& folder, const RunView& view);

/// The same of one element of an array, which ran on `node` (or began there).
std::vector<LogTail> element_logs(const RunFolder& folder, int index, const std::string& node);

/// `view` as the watcher sees it now. Slurm is asked only about a run that went wrong: one scontrol, one sacct.
RunEvidence gather_evidence(const RunFolder& folder, const RunView& view, slurm::Gateway& gateway);

/// RunEvidence of each of these elements as if it were a run of its own. Slurm is asked once, by sacct, where an
/// element failed or left no record.
std::vector<RunEvidence> element_evidence(const RunFolder& folder, const RunView& view, const std::vector<int>& indices,
                                          slurm::Gateway& gateway);

}  // namespace rv::monitor
