#include "cli/top/gather.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/walltime.h"
#include "cli/views/cluster_view.h"
#include "monitor/jobs/lookup.h"
#include "monitor/jobs/start_estimate.h"
#include "monitor/jobs/state_of_ending.h"
#include "monitor/run/elements.h"
#include "planner/queue_position.h"

namespace rv::cli::top {
namespace {

/// Whether the name is one that rv gives its jobs, of this folder of runs or another: an ID has six letters and digits.
bool is_name_of_run(const std::string& name) {
  const auto run = monitor::run_of_job(name);
  return run && run->size() == 6 && run->find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos;
}

std::string gpu_words(const monitor::RunView& view) {
  if (const auto* winner = winner_of(view)) return winner->candidate.summary;
  if (view.candidates.size() == 1) return view.candidates.front().candidate.summary;
  return fmt::format("{} candidates", view.candidates.size());
}

void add_progress(Run& run, const monitor::RunView& view, TimePoint now) {
  if (view.array) {
    const auto ended = std::count_if(view.array->elements.begin(), view.array->elements.end(),
                                     [](const monitor::Element& element) { return element.exit.has_value(); });
    const auto all = std::max<std::size_t>(1, view.array->indices.size());
    run.progress = static_cast<double>(ended) / static_cast<double>(all);
    // The detail begins with the same words from the first element on.
    auto words = monitor::element_words(view.array->elements, view.array->indices);
    if (view.detail.find(words) == std::string::npos) run.progress_words = std::move(words);
  } else if (view.chain && view.chain->total.count() > 0) {
    // A chain that is done needed less time than it was given.
    run.progress = view.state == monitor::RunState::done
                       ? 1.0
                       : static_cast<double>(view.chain->used.count()) / static_cast<double>(view.chain->total.count());
    run.progress_words = fmt::format("segment {}, {} of {} used", view.chain->segments.size(),
                                     format_duration(view.chain->used), format_duration(view.chain->total));
  } else if (run.started && run.ends_by && *run.ends_by > *run.started) {
    const auto passed = run.ended.value_or(now) - *run.started;
    run.progress = static_cast<double>(passed.count()) / static_cast<double>((*run.ends_by - *run.started).count());
    run.progress_words = fmt::format("{} of its time limit of {}", format_duration(passed),
                                     format_duration(*run.ends_by - *run.started));
  }
}

}  // namespace

Run run_of(const monitor::RunRecord& record, const monitor::RunView& view, TimePoint now) {
  Run run;
  run.id = record.id;
  run.name = record.name;
  run.state = view.state;
  run.detail = view.detail;
  run.gpus = gpu_words(view);
  run.nodes = view.nodes;
  run.created = record.created;
  run.started = view.started;
  run.ended = view.ended;
  run.ends_by = monitor::ends_by(view);
  add_progress(run, view, now);
  if (view.started || monitor::is_final(view.state)) return run;
  if (const auto start = monitor::estimate_start(view, record.created, now)) run.start = monitor::in_words(*start, now);
  for (const auto& candidate : view.candidates) {
    if (candidate.journal.job) run.jobs.push_back(slurm::to_string(*candidate.journal.job));
  }
  return run;
}

std::vector<Run> jobs_beside(const std::vector<slurm::JobUse>& jobs, std::size_t most) {
  std::vector<Run> beside;
  for (const auto& job : jobs) {
    if (job.name.empty() || is_name_of_run(job.name)) continue;  // without a name it may be a run's
    slurm::AccountingRow row;
    row.state = job.state;
    const auto status = monitor::status_of(row);
    Run run;
    run.is_job = true;
    run.id = job.shown;
    run.name = job.name;
    run.state = job.state == "COMPLETED" ? monitor::RunState::done
                : job.state == "FAILED"  ? monitor::RunState::failed
                : status.ending          ? monitor::state_of_ending(*status.ending)
                                         : monitor::RunState::unknown;
    run.detail = "Slurm job, " + job.state;
    run.gpus = job.gpus > 0 ? counted(job.gpus, "GPU") : "no GPU";
    run.created = job.start;
    run.started = job.start;
    run.ended = job.end;
    beside.push_back(std::move(run));
  }
  std::stable_sort(beside.begin(), beside.end(), [](const Run& a, const Run& b) { return a.ended > b.ended; });
  if (beside.size() > most) beside.resize(most);
  return beside;
}

std::vector<GpuType> types_of(const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue) {
  const bool jobs_known = cluster.queue_known();
  const auto mine = gpus_of(cluster.user, cluster, catalogue);
  std::vector<GpuType> types;
  for (const auto& summary : summarise(cluster, catalogue).types) {
    const auto found = mine.find(summary.model.name);
    types.push_back({.name = summary.model.name,
                     .total = summary.total,
                     .free = summary.free,
                     .used = summary.used,
                     .mine = found == mine.end() ? 0 : found->second,
                     .pending = jobs_known ? std::optional(summary.pending) : std::nullopt,
                     .waits = {}});
  }
  return types;
}

void add_waits(std::vector<GpuType>& types, const planner::Plan& plan, std::size_t size) {
  for (auto& type : types) {
    auto& wait = type.waits.at(size);
    for (const auto& strategy : plan.strategies) {
      if (strategy.gpu.name != type.name || !strategy.wait.p50) continue;
      wait = std::min(wait.value_or(*strategy.wait.p50), *strategy.wait.p50);
    }
  }
}

std::map<std::string, QueueSummary> places_in_queue(const planner::Cluster& cluster, const std::vector<Run>& runs) {
  std::map<std::string, QueueSummary> places;
  for (const auto& run : runs) {
    for (const auto& job : run.jobs) {
      const auto found = planner::queue_position(cluster, job, run.jobs);
      if (!found) continue;
      const QueueSummary place{.place = found->place, .of = found->waiting, .partition = joined(found->partitions)};
      const auto [best, is_new] = places.try_emplace(run.id, place);
      if (!is_new && place.place < best->second.place) best->second = place;
    }
  }
  return places;
}

std::optional<double> mean_load(const GpuReadings& readings) {
  double sum = 0;
  int said = 0;
  for (const auto& gpu : readings.gpus) {
    if (!gpu.utilisation) continue;
    sum += *gpu.utilisation / 100;
    ++said;
  }
  return said == 0 ? std::nullopt : std::optional(sum / said);
}

}  // namespace rv::cli::top
