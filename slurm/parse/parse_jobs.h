// Answers about single jobs, and sbatch's own → evidence.
#pragma once

#include <string_view>
#include <vector>

#include "base/os/process.h"
#include "slurm/parse/job_records.h"

namespace rv::slurm {

/// Format of the squeue of a poll; the name comes last because it may hold any byte.
inline constexpr std::string_view poll_format = "%i|%F|%K|%T|%r|%S|%N|%j";

/// Output of `squeue -h -r -o <poll_format>`. A name may hold separators and newlines: what does not begin like a row
/// belongs to the name of the row before.
std::vector<QueueRow> parse_poll(std::string_view text);

/// `scontrol -o show job ID`. A name that imitates many fields can still be misread, so a caller compares the name with
/// the one it expects.
std::vector<JobRecord> parse_records(std::string_view text);

/// Format and output of `sacct -D -X -P -n`.
inline constexpr std::string_view accounting_format = "JobIDRaw,JobID,Submit,Start,End,State,ExitCode,NodeList,JobName";
std::vector<AccountingRow> parse_accounting(std::string_view text);

/// The last row of each job (and array element) that carries the key's name: with -D, accounting also lists earlier
/// starts of a requeued job, which `restarts` counts, and other jobs that had the same ID. A job that was moved within
/// a federation has a row REVOKED on the cluster that it left; it is returned only where there is no other.
std::vector<AccountingRow> rows_of(const std::vector<AccountingRow>& rows, const JobKey& key);

/// Why Slurm did not cancel, from scancel's answer. Empty when it did, or when all it says is that such a job is over,
/// unknown, or has another name than the filter.
std::string trouble_of_cancel(const os::Result& result);

/// The controller refuses a job in these words when no such nodes exist, but also when those that do are only drained
/// or down for now.
bool of_nodes_that_may_return(std::string_view refusal);

/// What sbatch --parsable answered, or that it did not.
Submission parse_submission(const os::Result& result);

/// The first line that says "error:" or "fatal:", else the first that says something; without those words and the
/// program's name.
std::string first_complaint(std::string_view text);

}  // namespace rv::slurm
