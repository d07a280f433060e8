#include "slurm/accounting/job_use.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"

namespace rv::slurm {
namespace {

using std::chrono::seconds;

enum Column : std::size_t {
  raw_id,
  shown,
  start,
  end,
  state,
  nodes,
  tasks,
  cpus,
  cpu_time,
  limit,
  allocated,
  task_memory,
  total_use,
  name,  // and what follows, where it holds separators
};

/// More than any machine has. A larger figure is not believed, and sums of smaller ones do not overflow.
constexpr std::int64_t most_memory = std::int64_t{1} << 30;  // MiB
constexpr int most_tasks = 1 << 24;

/// JobAcctGatherFrequency's default: a shorter step may end before its first sample.
constexpr seconds sampling_interval{30};

int whole(std::string_view text) {
  const auto number = parse_number(text);
  return number && *number > 0 && *number <= std::numeric_limits<int>::max() ? static_cast<int>(*number) : 0;
}

/// "172584960" with --noconvert; "168540K" and "1.50M" from releases that convert all the same. Rounded up. Nothing
/// for 0: no process has none.
std::optional<Mebibytes> bytes_as_memory(std::string_view text) {
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  std::int64_t amount = 0;
  if (const auto bytes = parse_number(text)) {
    amount = *bytes / mebibyte + (*bytes % mebibyte == 0 ? 0 : 1);
  } else if (text.ends_with('K')) {
    amount = parse_number(text.substr(0, text.find_first_of(".K"))).value_or(-1);
    if (amount > 0) amount = amount / 1024 + 1;
  } else if (const auto memory = parse_memory_field(text)) {
    amount = memory->count > 0 && memory->count <= most_memory ? memory->count + 1 : 0;
  }
  return amount > 0 && amount <= most_memory ? std::optional(Mebibytes{amount}) : std::nullopt;
}

/// The value of `key` in "cpu=00:00:01,mem=172584960".
std::string_view tres_value(std::string_view text, std::string_view key) {
  for (const auto part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals != std::string_view::npos && part.substr(0, equals) == key) return part.substr(equals + 1);
  }
  return {};
}

struct Interval {
  TimePoint start;
  TimePoint end;
};

/// Nothing for what has not begun or is not over.
std::optional<Interval> interval_of(std::string_view from, std::string_view to) {
  constexpr TimePoint never{seconds(std::int64_t{1} << 40)};
  const auto begun = parse_time(from);
  const auto over = parse_time(to);
  if (!begun || !over || *over < *begun || *over > never) return std::nullopt;
  return Interval{*begun, *over};
}

/// "[DD-[HH:]]MM:SS[.mmm]" (sacct(1), TotalCPU).
std::optional<double> parse_cpu_time(std::string_view text) {
  double fraction = 0;
  if (const auto dot = text.find('.'); dot != std::string_view::npos) {
    const auto digits = text.substr(dot + 1);
    const auto part = parse_number(digits);
    if (!part || *part < 0) return std::nullopt;
    fraction = static_cast<double>(*part) / std::pow(10.0, static_cast<double>(digits.size()));
    text = text.substr(0, dot);
  }
  const auto span = text.find(':') == std::string_view::npos ? std::nullopt : parse_span(text);
  if (!span) return std::nullopt;
  return static_cast<double>(span->count()) + fraction;
}

std::optional<StepUse> parse_step(const std::vector<std::string_view>& row) {
  const auto interval = interval_of(row[start], row[end]);
  if (!interval) return std::nullopt;
  const auto id = row[raw_id];
  StepUse step;
  step.step = id.substr(id.find('.') + 1);
  step.start = interval->start;
  step.end = interval->end;
  step.nodes = std::max(1, whole(row[nodes]));
  step.tasks = std::clamp(whole(row[tasks]), 1, most_tasks);
  step.largest_task = bytes_as_memory(row[task_memory]);
  step.all_tasks = bytes_as_memory(tres_value(row[total_use], "mem"));
  return step;
}

std::optional<JobUse> parse_job(const std::vector<std::string_view>& row) {
  const auto id = parse_job_id(row[raw_id]);
  const auto interval = interval_of(row[start], row[end]);
  if (!id || !interval) return std::nullopt;
  JobUse job;
  job.id = *id;
  job.shown = row[shown];
  job.name = row[name];
  for (std::size_t i = name + 1; i < row.size(); ++i) job.name += "|" + std::string(row[i]);
  job.name = accounting_name(job.name);
  job.state = row[state].substr(0, row[state].find_first_of(" +"));
  job.start = interval->start;
  job.end = interval->end;
  job.limit = parse_span(row[limit]);
  job.nodes = std::max(1, whole(row[nodes]));
  job.cpus = whole(row[cpus]);
  const auto tres = parse_tres(row[allocated]);
  job.gpus = static_cast<int>(std::clamp<std::int64_t>(planner::gpu_count(tres), 0, most_tasks));
  if (const auto amount = planner::amount(tres, "mem"); amount && *amount > 0 && *amount <= most_memory * most_tasks) {
    job.memory = Mebibytes{*amount};
  }
  job.cpu_seconds = parse_cpu_time(row[cpu_time]);
  return job;
}

bool was_sampled(const StepUse& step) {
  return step.largest_task || step.all_tasks;
}

Mebibytes node_peak_of_step(const StepUse& step) {
  if (!step.largest_task) return *step.all_tasks;
  const int tasks_of_a_node = step.tasks % step.nodes == 0 ? step.tasks / step.nodes : step.tasks;
  const Mebibytes spread{step.largest_task->count * tasks_of_a_node};
  return step.all_tasks ? std::min(spread, *step.all_tasks) : spread;
}

}  // namespace

std::vector<JobUse> parse_job_use(std::string_view text) {
  std::vector<JobUse> jobs;
  bool in_job = false;  // the rows of a job's steps follow its own
  while (!text.empty()) {
    const auto row = split(next_line(text), '|');
    if (row.size() <= name) continue;  // the rest of a name with a newline in it
    const bool is_step = row[raw_id].find('.') != std::string_view::npos;
    if (!is_step) {
      auto job = parse_job(row);
      in_job = job.has_value();
      if (job) jobs.push_back(std::move(*job));
    } else if (in_job && row[raw_id].substr(0, row[raw_id].find('.')) == to_string(jobs.back().id)) {
      if (auto step = parse_step(row)) jobs.back().steps.push_back(std::move(*step));
    }
  }
  for (auto& job : jobs) {
    // jobacct_gather/none reports zero seconds.
    const bool sampled = std::any_of(job.steps.begin(), job.steps.end(), was_sampled);
    if (!sampled && job.cpu_seconds == 0.0) job.cpu_seconds.reset();
  }
  return jobs;
}

std::optional<Mebibytes> peak_of_a_node(const JobUse& job) {
  std::optional<Mebibytes> peak;
  for (const auto& first : job.steps) {
    if (!was_sampled(first)) {
      const bool only_holds_the_allocation = first.step == "extern";
      if (!only_holds_the_allocation && first.end - first.start >= sampling_interval) return std::nullopt;
      continue;
    }
    // The sum over the steps changes at their starts only for the worse.
    Mebibytes together{};
    for (const auto& step : job.steps) {
      const bool runs_then = step.start <= first.start && (step.end > first.start || &step == &first);
      if (runs_then && was_sampled(step)) together.count += node_peak_of_step(step).count;
    }
    peak = std::max(peak.value_or(Mebibytes{}), together);
  }
  return peak;
}

}  // namespace rv::slurm
