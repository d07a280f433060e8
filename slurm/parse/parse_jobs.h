// Parses Slurm's answers about jobs, and the output of sbatch and scancel.
#pragma once

#include <string_view>
#include <vector>

#include "base/os/process.h"
#include "slurm/parse/job_records.h"

namespace rv::slurm {

/// The format of squeue in a poll. The name is last because it may contain any byte.
inline constexpr std::string_view poll_format = "%i|%F|%K|%T|%r|%S|%e|%l|%N|%j";

/// Reads the output of `squeue -h -r -o <poll_format>`. A name may contain separators and newlines: a line that does
/// not begin like a row belongs to the name of the row before.
std::vector<QueueRow> parse_poll(std::string_view text);

/// Reads `scontrol -o show job ID`. A job name that imitates many fields can be misread, so callers must compare the
/// name with the expected one.
std::vector<JobRecord> parse_records(std::string_view text);

/// The format for `sacct -D -X -P -n`, and the function that reads its output.
inline constexpr std::string_view accounting_format = "JobIDRaw,JobID,Submit,Start,End,State,ExitCode,NodeList,JobName";
std::vector<AccountingRow> parse_accounting(std::string_view text);

/// Returns the last row of each job (and array element) with the key's ID and name. With -D, accounting also lists
/// earlier starts of a requeued job, which `restarts` counts, and other jobs that had the same ID. A job that was moved
/// within a federation has a row REVOKED on the cluster that it left; that row is returned only if there is no other.
std::vector<AccountingRow> rows_of(const std::vector<AccountingRow>& rows, const JobKey& key);

/// Parses `squeue -s -o "%i %j"`, without the steps of batch scripts and prologs, which have no number.
std::vector<StepRow> parse_steps(std::string_view out);

/// Returns scancel's message if Slurm did not cancel. Empty if it did, or if the message only says that the job is
/// over, is unknown, or does not have the name in the filter.
std::string trouble_of_cancel(const os::Result& result);

/// Whether a refusal may be temporary. The controller uses this message if no such nodes exist, but also if they are
/// only drained or down at the moment.
bool of_nodes_that_may_return(std::string_view refusal);

/// Reads the output of sbatch --parsable.
Submission parse_submission(const os::Result& result);

/// Returns the first line that contains "error:" or "fatal:", else the first line that is not empty, without these
/// words and the program's name.
std::string first_complaint(std::string_view text);

}  // namespace rv::slurm
