// Collects the rows of a log: each becomes a job, or is counted with the reason why not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/past/job_log.h"

namespace rv::slurm {

using Seconds = std::optional<std::int64_t>;

/// One row as read: a member without a value is missing or unknown. Times are seconds.
struct LogRow {
  Seconds submitted, eligible, start, end, limit;
  std::optional<std::int64_t> nodes, gpus;
  std::string_view user, account, partition, state, gpu_type, name;
  bool runs = false;       // it has not ended yet
  bool odd_limit = false;  // its limit is in a unit that is not known
};

class LogRows {
 public:
  explicit LogRows(planner::JobLog& log) : log_(log) {}

  void add(const LogRow& row);

  /// Counts a row without a job.
  void flaw(const std::string& what) { ++log_.flaws[what]; }

  /// Sorts the jobs by submission, and counts what only the whole log shows: gaps and rows out of order.
  void finish();

 private:
  std::optional<std::string> fault_of(const LogRow& row) const;

  planner::JobLog& log_;
  std::vector<std::size_t> running_;  // indices of the jobs that still run
};

/// Reads a number and rounds it down ("1723082052.0"); nothing for any other text.
std::optional<std::int64_t> parse_amount(std::string_view text);

/// Whether a line has the 18 numeric fields of SWF, separated by blanks, semicolons or commas.
bool is_swf_row(std::string_view line);

/// Reads the Standard Workload Format (Feitelson, https://www.cs.huji.ac.il/labs/parallel/workload/swf.html).
void read_swf(std::string_view text, planner::JobLog& log);

/// Reads a table whose first line names its columns. Throws Error(usage) without the necessary columns.
void read_columns(std::string_view text, const std::string& name, planner::JobLog& log);

}  // namespace rv::slurm
