// Slurm's records of jobs: one type for each source. Values only; monitor/ interprets them.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

using planner::TimePoint;

struct JobId {
  std::uint32_t number = 0;
  auto operator<=>(const JobId&) const = default;  // NOLINT(modernize-use-nullptr): its own 0
};

std::string to_string(JobId id);
std::optional<JobId> parse_job_id(std::string_view text);  // digits only, not 0

/// A job's name as accounting gives it; empty where accounting does not know it yet. The end of a short job can reach
/// slurmdbd before its start, which brings the name, and sacct prints "allocation" for some seconds (seen with
/// 22.05).
std::string_view accounting_name(std::string_view text);

/// A job and the name that it must have. Slurm can use the ID of a job again (MaxJobId), but not the name of an rv job,
/// which contains the ID of the run.
struct JobKey {
  JobId id;
  std::string name;
  auto operator<=>(const JobKey&) const = default;
};

/// One row of squeue.
struct QueueRow {
  JobId id;            // for an element: the array's base ID
  std::string raw_id;  // as printed: "123", "123_4"
  std::string state;   // Slurm's full name: PENDING, RUNNING, COMPLETING, …
  std::string reason;
  std::optional<TimePoint> start;                  // real start, or planned start
  std::optional<TimePoint> end;                    // of a running job: when its time limit ends it
  std::optional<std::chrono::seconds> time_limit;  // as it is now; nothing: unlimited
  std::string node_list;                           // compressed: "udc-an28-[1-2]"; empty while pending
  std::string name;                                // may contain any byte, even a newline
};

/// One record of `scontrol -o show job ID`.
struct JobRecord {
  JobId id;  // for an element: the array's base ID
  std::string state;
  std::string reason;
  std::string name;
  int exit_status = 0;  // ExitCode=status:signal
  int exit_signal = 0;
  int restarts = 0;
  int cpus = 0;  // of all its nodes
  bool requeue = false;
  bool preempted = false;  // preempted in this start; set also if the state is FAILED or still RUNNING
  std::string node_list;
  std::string standard_output;  // path of the file
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> start;
  std::optional<TimePoint> end;
};

/// One row of sacct -D -X.
struct AccountingRow {
  JobId id;           // for an element: the array's base ID
  std::string shown;  // as printed: "123", "123_4"
  std::string state;  // first word, without a trailing "+": "CANCELLED" for "CANCELLED by 1001"
  int exit_status = 0;
  int exit_signal = 0;
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> start;
  std::optional<TimePoint> end;
  std::string node_list;
  std::string name;
  int restarts = 0;  // number of earlier starts of this job in the same answer; set by rows_of()
  std::optional<std::uint32_t> cancelled_by;  // numeric user ID of "CANCELLED by 1001"
};

/// A step that has not ended.
struct StepRow {
  std::string id;  // "4711.3"
  JobId job;
  std::string name;
};

/// The result of a query, or the reason why there is none. A query without a result proves nothing about the jobs.
template <typename T>
struct QueryResult {
  std::optional<T> value;
  std::string trouble;  // the first line of Slurm's message, if there is no value
  explicit operator bool() const { return value.has_value(); }
};

struct Submission {
  enum class Outcome {
    accepted,  // id is set
    refused,   // Slurm refused the job and gave the reason: a limit, a policy, an invalid option
    unknown,   // no reliable answer (time-out, no controller): the job may exist
  };
  Outcome outcome = Outcome::unknown;
  JobId id;
  std::string cluster;             // from "ID;cluster"; usually empty
  std::string message;             // refused, unknown: one line of Slurm's or the site's message that names the cause
  std::vector<std::string> lines;  // refused, unknown: all lines that were printed (refusal.h)
};

}  // namespace rv::slurm
