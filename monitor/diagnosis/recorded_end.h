// How the job of a run ended, according to the records in the evidence.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/diagnosis/diagnosis.h"

namespace rv::monitor {

/// The command's exit code, 128 + signal where the shell reported one; -1 without a record.
int exit_code_in(const RunEvidence& evidence);

/// The signal of the batch script in Slurm's records; 0 if there is none.
int batch_signal_in(const RunEvidence& evidence);

/// Whether the controller or accounting recorded this end of the job.
bool slurm_recorded(const RunEvidence& evidence, Ending ending);

/// The time from the start of the job to its end, as accounting recorded them, else as the controller did. Nothing if
/// neither has both.
std::optional<std::chrono::seconds> recorded_time(const RunEvidence& evidence);

/// Whether Slurm preempted the job: it ended by a signal, or without a record, and Slurm recorded a preemption.
bool was_preempted(const RunEvidence& evidence);

/// The name of a signal, for common ones with its meaning: "SIGSEGV, an invalid memory access".
std::string signal_name(int signal);

}  // namespace rv::monitor
