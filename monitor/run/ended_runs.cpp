#include "monitor/run/ended_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/run/run_facts.h"
#include "shared/number.h"
#include "slurm/parse/field.h"

namespace rv::monitor {
namespace {

constexpr std::size_t columns = 10;
constexpr std::string_view with_report = "report";
constexpr std::string_view without_report = "-";

std::vector<slurm::JobId> jobs_of(const RunFolder& folder) {
  std::set<slurm::JobId> jobs;
  for (const auto& event : folder.events()) {
    if (event.job) jobs.insert(*event.job);
  }
  return {jobs.begin(), jobs.end()};
}

}  // namespace

std::optional<EndedRun> read_ended_run(const RunFolder& folder) {
  const auto facts = read_facts(folder);
  if (!facts.outcome || !is_final(facts.outcome->state)) return std::nullopt;
  return EndedRun{.id = folder.id(),
                  .name = facts.record.name,
                  .created = facts.record.created,
                  .created_ns = facts.record.created_ns,
                  .ended = facts.outcome->time,
                  .work_folder = facts.record.work_folder,
                  .environment = facts.record.job.environment ? facts.record.job.environment->prefix : "",
                  .jobs = facts.record.job.inside ? std::vector<slurm::JobId>() : jobs_of(folder),
                  .bytes = std::nullopt,
                  .has_report = false};
}

EndedRuns EndedRuns::read(const std::string& home) {
  EndedRuns index(home + "/cache/ended-runs-1.tsv");
  std::string text;
  try {
    text = os::read_file(index.file_).value_or("");
  } catch (const Error&) {
    return index;
  }
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    if (auto run = parse_ended_run(rest.substr(0, end))) {
      auto id = run->id;
      index.runs_.insert_or_assign(std::move(id), std::make_shared<const EndedRun>(std::move(*run)));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return index;
}

std::shared_ptr<const EndedRun> EndedRuns::find(const std::string& id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : found->second;
}

void EndedRuns::put(EndedRun run) {
  auto id = run.id;
  runs_.insert_or_assign(std::move(id), std::make_shared<const EndedRun>(std::move(run)));
  changed_ = true;
}

void EndedRuns::keep_only(const std::vector<std::string>& runs) {
  const auto known = std::count_if(runs.begin(), runs.end(), [&](const auto& id) { return runs_.contains(id); });
  if (static_cast<std::size_t>(known) == runs_.size()) return;
  const std::unordered_set<std::string> kept(runs.begin(), runs.end());
  changed_ = std::erase_if(runs_, [&](const auto& run) { return !kept.contains(run.first); }) > 0 || changed_;
}

void EndedRuns::save() {
  if (!changed_) return;
  std::string text;
  for (const auto& [id, run] : runs_) text += to_line(*run);
  try {
    os::make_folder(file_.substr(0, file_.rfind('/')));
    os::replace_file(file_, text);
  } catch (const Error&) {
    return;
  }
  changed_ = false;
}

std::string to_line(const EndedRun& run) {
  std::string jobs;
  for (const auto job : run.jobs) jobs += (jobs.empty() ? "" : ",") + slurm::to_string(job);
  // The last cell is never empty: a line without its end is ignored.
  const auto line =
      fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", run.id, run.created.time_since_epoch().count(),
                  run.created_ns.count(), run.ended.time_since_epoch().count(), jobs,
                  run.bytes ? std::to_string(*run.bytes) : std::string(), run.name, run.work_folder, run.environment,
                  run.has_report ? with_report : without_report);
  const bool whole =
      std::count(line.begin(), line.end(), '\t') == columns - 1 && std::count(line.begin(), line.end(), '\n') == 1;
  return whole ? line : "";
}

std::optional<EndedRun> parse_ended_run(std::string_view line) {
  const auto cells = slurm::split(line, '\t');
  if (cells.size() != columns) return std::nullopt;
  const auto id = cells[0], created = cells[1], created_ns = cells[2], ended = cells[3], jobs = cells[4],
             bytes = cells[5], name = cells[6], work_folder = cells[7], environment = cells[8], report = cells[9];
  const auto begin = number_in<std::int64_t>(created);
  const auto begin_ns = number_in<std::int64_t>(created_ns, 0);
  const auto end = number_in<std::int64_t>(ended);
  if (id.empty() || !begin || !begin_ns || !end || (report != with_report && report != without_report)) {
    return std::nullopt;
  }
  EndedRun run{.id = std::string(id),
               .name = std::string(name),
               .created = TimePoint(std::chrono::seconds(*begin)),
               .created_ns = std::chrono::nanoseconds(*begin_ns),
               .ended = TimePoint(std::chrono::seconds(*end)),
               .work_folder = std::string(work_folder),
               .environment = std::string(environment),
               .jobs = {},
               .bytes = number_in<std::int64_t>(bytes, 0),
               .has_report = report == with_report};
  if (jobs.empty()) return run;
  for (const auto text : slurm::split(jobs, ',')) {
    const auto job = slurm::parse_job_id(text);
    if (!job) return std::nullopt;
    run.jobs.push_back(*job);
  }
  return run;
}

}  // namespace rv::monitor
