// What Slurm said about jobs, by source. Values only; what they mean is decided in monitor/.
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

/// A job and the name it must carry. IDs are recycled (MaxJobId); the names of rv's jobs contain the run's ID and are
/// not.
struct JobKey {
  JobId id;
  std::string name;
  auto operator<=>(const JobKey&) const = default;
};

/// One row of the squeue of a poll.
struct QueueRow {
  JobId id;            // the array's base ID for an element
  std::string raw_id;  // as shown: "123", "123_4"
  std::string state;   // Slurm's word, in full: PENDING, RUNNING, COMPLETING, …
  std::string reason;
  std::optional<TimePoint> start;  // real or planned
  std::string node_list;           // compressed: "udc-an28-[1-2]"; empty while pending
  std::string name;                // may hold any byte, newlines were in it too
};

/// One answer of `scontrol -o show job ID`.
struct JobRecord {
  JobId id;  // the array's base ID for an element
  std::string state;
  std::string reason;
  std::string name;
  int exit_status = 0;  // ExitCode=status:signal
  int exit_signal = 0;
  int restarts = 0;
  bool requeue = false;
  bool preempted = false;  // preempted in this start, also if the state is FAILED or still RUNNING
  std::string node_list;
  std::string standard_output;  // the file
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> start;
  std::optional<TimePoint> end;
};

/// One row of sacct -D -X.
struct AccountingRow {
  JobId id;           // the array's base ID for an element
  std::string shown;  // as shown: "123", "123_4"
  std::string state;  // first word, without a trailing "+": "CANCELLED" for "CANCELLED by 1001"
  int exit_status = 0;
  int exit_signal = 0;
  std::optional<TimePoint> submitted;
  std::optional<TimePoint> start;
  std::optional<TimePoint> end;
  std::string node_list;
  std::string name;
  int restarts = 0;  // starts of this job before this one, among the rows of one answer; rows_of counts them
  std::optional<std::uint32_t> cancelled_by;  // numeric user ID of "CANCELLED by 1001"
};

/// The result of a query, or why there is none. A query without a result proves nothing about the jobs.
template <typename T>
struct QueryResult {
  std::optional<T> value;
  std::string trouble;  // the first line of Slurm's message, if there is no value
  explicit operator bool() const { return value.has_value(); }
};

struct Submission {
  enum class Outcome {
    accepted,  // id is set
    refused,   // Slurm said no and why: a limit, a policy, a bad option
    unknown,   // no answer that can be trusted (time-out, controller away): the job may exist
  };
  Outcome outcome = Outcome::unknown;
  JobId id;
  std::string cluster;             // of "ID;cluster", usually empty
  std::string message;             // refused, unknown: the cause in Slurm's or the site's own words, one line
  std::vector<std::string> lines;  // refused, unknown: all that was printed with it (refusal.h)
};

}  // namespace rv::slurm
