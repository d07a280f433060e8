#include "slurm/parse/parse_finished_jobs.h"

#include <algorithm>
#include <limits>

#include "planner/cluster/job_name.h"
#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/job_records.h"

namespace rv::slurm {
namespace {

enum Column : std::size_t {
  id,
  user,
  account,
  partition,
  qos,
  state,
  submitted,
  eligible,
  start,
  end,
  limit,
  tres,
  name,  // and what follows, where it holds separators
  column_count,
};

// "CANCELLED by 1001", "TIMEOUT+" (cut off), "COMPLETED".
std::string_view base_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" +"));
}

int as_int(std::optional<std::int64_t> amount) {
  if (!amount || *amount < 0 || *amount > std::numeric_limits<int>::max()) return 0;
  return static_cast<int>(*amount);
}

std::string gpu_type_of(const planner::Tres& tres) {
  std::string type;
  std::int64_t most = 0;
  for (const auto& [name, count] : tres) {
    if (!name.starts_with(planner::typed_gpu) || count <= most) continue;
    type = name.substr(planner::typed_gpu.size()).text();
    most = count;
  }
  return type;
}

planner::FinishedJob parse_job(const std::vector<std::string_view>& row, planner::TimePoint begun,
                               planner::TimePoint over) {
  const auto allocated = parse_tres(row[tres]);
  planner::FinishedJob job;
  job.user = row[user];
  job.account = row[account];
  job.partition = row[partition];
  job.qos = row[qos];
  job.state = base_word(row[state]);
  job.start = begun;
  job.end = over;
  // A requeue moves the submission forward, and some releases lose the eligible time of arrays.
  job.submitted = std::min(parse_time(row[submitted]).value_or(begun), begun);
  job.eligible = std::clamp(parse_time(row[eligible]).value_or(job.submitted), job.submitted, begun);
  job.limit = parse_span(row[limit]).value_or(std::chrono::seconds(0));
  job.nodes = std::max(1, as_int(planner::amount(allocated, "node")));
  job.cpus = as_int(planner::amount(allocated, "cpu"));
  job.memory.count = planner::amount(allocated, "mem").value_or(0);
  job.gpu_type = gpu_type_of(allocated);
  job.gpus = as_int(planner::gpu_count(allocated));
  const auto named = row.size() > name ? accounting_name(row[name]) : std::string_view();
  if (!named.empty()) job.name_key = planner::name_key(named);
  return job;
}

}  // namespace

FinishedJobs parse_finished_jobs(std::string_view text, planner::TimePoint from, planner::TimePoint to) {
  FinishedJobs finished;
  while (!text.empty()) {
    const auto row = split(next_line(text), '|');
    if (row.size() == 1 && row[0].empty()) continue;
    // A field with a separator in it moves the others: no time is where one should be.
    const bool whole = row.size() >= name && (parse_time(row[submitted]) || is_nothing(row[submitted]));
    if (!whole || !parse_job_id(row[id]) || base_word(row[state]).empty()) {
      ++finished.unreadable;
      continue;
    }
    const auto over = parse_time(row[end]);
    const auto begun = parse_time(row[start]);
    if (!over) {
      ++finished.not_over;
    } else if (!begun || row[tres].empty()) {
      ++finished.never_started;
    } else if (*begun > *over) {
      ++finished.unreadable;
    } else if (*over >= from && *over < to) {
      finished.jobs.push_back(parse_job(row, *begun, *over));
    }
  }
  return finished;
}

}  // namespace rv::slurm
