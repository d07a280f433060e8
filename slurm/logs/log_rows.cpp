#include "slurm/logs/log_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/cluster/job_name.h"
#include "shared/number.h"

namespace rv::slurm {

namespace {

using std::chrono::seconds;

constexpr std::int64_t year = std::int64_t{366} * 86'400;
constexpr std::int64_t last_moment = std::int64_t{1} << 33U;  // the year 2242
constexpr std::int64_t most_nodes = 1'000'000;
constexpr seconds gap{86'400};

planner::TimePoint time_point(std::int64_t moment) {
  return planner::TimePoint(seconds(moment));
}

bool outside(std::int64_t value, std::int64_t least, std::int64_t most) {
  return value < least || value > most;
}

/// Sorts places instead of jobs, which are large.
void sort_by_submission(std::vector<planner::FinishedJob>& jobs) {
  std::vector<std::pair<planner::TimePoint, std::size_t>> order;
  order.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) order.emplace_back(jobs[i].submitted, i);
  if (std::is_sorted(order.begin(), order.end())) return;
  std::sort(order.begin(), order.end());
  std::vector<planner::FinishedJob> sorted;
  sorted.reserve(jobs.size());
  for (const auto& [submitted, place] : order) sorted.push_back(std::move(jobs[place]));
  jobs.swap(sorted);
}

}  // namespace

std::optional<std::int64_t> parse_amount(std::string_view text) {
  const auto value = number_in<double>(text, -9e15, 9e15);
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(*value));
}

/// Why there is no job in the row.
std::optional<std::string> LogRows::fault_of(const LogRow& row) const {
  if (!row.submitted) return "rows without a submission time";
  if (!row.start) return "jobs that never started, or wait";
  if (!row.end && !row.runs) return "rows without an end";
  for (const Seconds& moment : {row.submitted, row.eligible, row.start, row.end}) {
    if (moment && outside(*moment, 0, last_moment)) return "rows with an impossible time";
  }
  if (*row.start < *row.submitted) return "jobs that start before their submission";
  if (row.end && *row.end < *row.start) return "jobs that end before their start";
  if (row.end && *row.end - *row.start > year) return "jobs longer than a year";
  if (row.nodes && outside(*row.nodes, 1, most_nodes)) return "rows with an impossible number of nodes";
  if (row.gpus && outside(*row.gpus, 0, 64 * most_nodes)) return "rows with an impossible number of GPUs";
  if (log_.has_gpus && row.gpus.value_or(0) == 0) return "jobs without GPUs";
  if (!log_.has_gpus && !row.nodes) return "rows without a number of nodes";
  return std::nullopt;
}

void LogRows::add(const LogRow& row) {
  if (const auto fault = fault_of(row)) return flaw(*fault);
  planner::FinishedJob job;
  job.user = row.user;
  job.account = row.account;
  job.partition = row.partition.empty() ? "all" : row.partition;
  job.state = row.state;
  job.gpu_type = row.gpu_type;
  // A job that was held, or waited for another one, did not wait for the machine until it was eligible.
  const std::int64_t since = std::clamp(row.eligible.value_or(*row.submitted), *row.submitted, *row.start);
  if (since > *row.submitted) flaw("jobs counted from the time that they were eligible");
  job.submitted = job.eligible = time_point(since);
  job.start = time_point(*row.start);
  job.end = time_point(row.end.value_or(*row.start));
  job.nodes = static_cast<int>(row.nodes.value_or(1));
  job.gpus = static_cast<int>(row.gpus.value_or(0));
  job.nodes = log_.has_gpus ? std::min(job.nodes, job.gpus) : job.nodes;
  job.cpus = job.nodes;
  if (!row.name.empty()) job.name_key = planner::name_key(row.name);
  if (row.odd_limit) flaw("limits in an unknown unit, ignored");
  if (row.limit && *row.limit > 0 && *row.limit <= year) {
    job.limit = seconds(*row.limit);
    log_.has_limits = true;
  }
  log_.has_users = log_.has_users || !row.user.empty();
  log_.has_partitions = log_.has_partitions || !row.partition.empty();
  if (row.runs) running_.push_back(log_.jobs.size());
  log_.jobs.push_back(std::move(job));
}

void LogRows::finish() {
  auto& jobs = log_.jobs;
  planner::TimePoint last;
  for (const auto& job : jobs) last = std::max({last, job.submitted, job.start, job.end});
  for (const std::size_t job : running_) {
    jobs[job].end = last + seconds(1);
    flaw("jobs that still run");
  }
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i].submitted < jobs[i - 1].submitted) flaw("rows out of order of submission, or the clock was set back");
  }
  sort_by_submission(jobs);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i].submitted - jobs[i - 1].submitted > gap) flaw("gaps of over a day without a submission");
  }
  std::size_t over = 0;
  for (const auto& job : jobs) {
    if (job.limit.count() > 0 && job.end - job.start > job.limit + std::chrono::minutes(5)) ++over;
  }
  if (over > 0) log_.flaws["jobs that ran longer than their limit"] = over;
}

}  // namespace rv::slurm
