#include "monitor/jobs/lookup.h"

#include <algorithm>
#include <set>

#include "slurm/parse/parse_jobs.h"

namespace rv::monitor {
namespace {

// How much one element says about an array as a whole: it runs while any element runs, waits while any waits, and once
// all are over the one that ended badly counts.
int weight(const JobStatus& status) {
  switch (status.phase) {
    case Phase::running:
      return 8;
    case Phase::configuring:
      return 7;
    case Phase::completing:
      return 6;
    case Phase::suspended:
      return 5;
    case Phase::pending:
      return 4;
    case Phase::held:
      return 3;
    case Phase::ended:
      return status.ending == Ending::completed ? 1 : 2;
    case Phase::unknown:
      break;
  }
  return 0;
}

bool says_more(const JobStatus& status, const JobStatus& than) {
  return weight(status) > weight(than);
}

std::vector<slurm::JobId> ids_of(const std::vector<JobKey>& keys) {
  std::vector<slurm::JobId> ids;
  ids.reserve(keys.size());
  for (const auto& key : keys) ids.push_back(key.id);
  return ids;
}

void keep_telling(std::map<JobKey, JobStatus>& found, const JobKey& key, const JobStatus& status) {
  const auto [kept, added] = found.try_emplace(key, status);
  if (!added && says_more(status, kept->second)) kept->second = status;
}

}  // namespace

std::optional<std::string> run_of_job(std::string_view name) {
  const auto at = name.rfind('@');
  const auto dot = at == std::string_view::npos ? at : name.find('.', at);
  if (dot == std::string_view::npos) return std::nullopt;
  return std::string(name.substr(at + 1, dot - at - 1));
}

const slurm::QueueRow* QueueView::find(const JobKey& key) const {
  const slurm::QueueRow* liveliest = nullptr;
  for (const auto& row : rows) {
    if (row.id != key.id || row.name != key.name) continue;
    if (liveliest == nullptr || says_more(status_of(row), status_of(*liveliest))) liveliest = &row;
  }
  return liveliest;
}

bool is_the_job(const slurm::JobRecord& record, const JobKey& key) {
  if (record.id != key.id) return false;
  if (record.name == key.name) return true;
  const auto run = run_of_job(key.name);
  return run && record.standard_output.find("/" + *run + "/") != std::string::npos;
}

std::map<std::string, QueueView> by_run(const QueueView& queue) {
  std::map<std::string, QueueView> runs;
  for (const auto& row : queue.rows) {
    const auto run = run_of_job(row.name);
    if (!run) continue;
    auto& view = runs[*run];
    view.answered = queue.answered;
    view.rows.push_back(row);
  }
  return runs;
}

QueueView Lookup::query() {
  auto answer = gateway_.my_jobs();
  if (!answer) return {.answered = false, .trouble = answer.trouble, .rows = {}};
  return {.answered = true, .trouble = "", .rows = std::move(*answer.value)};
}

void Lookup::ask_other_clusters(const std::vector<JobKey>& moved, std::map<JobKey, JobStatus>& found) {
  const auto accounted = gateway_.accounting(ids_of(moved), slurm::Clusters::all);
  for (const auto& key : moved) {
    for (const auto& row : accounted ? slurm::rows_of(*accounted.value, key) : std::vector<slurm::AccountingRow>()) {
      if (const auto status = status_of(row); !is_revoked(status)) keep_telling(found, key, status);
    }
    found.try_emplace(key);
  }
}

std::map<JobKey, JobStatus> Lookup::vanished(const std::vector<JobKey>& keys, int records) {
  std::map<JobKey, JobStatus> found;
  std::vector<JobKey> rest;
  std::vector<JobKey> moved;
  std::set<JobKey> silent;  // asked about, without an answer
  for (const auto& key : keys) {
    if (records-- > 0) {
      const auto answer = gateway_.record(key.id);
      if (answer && !answer.value->empty() && is_the_job(answer.value->front(), key)) {
        if (is_revoked(status_of(answer.value->front()))) {
          moved.push_back(key);
          continue;
        }
        for (const auto& record : *answer.value) keep_telling(found, key, status_of(record));
        continue;
      }
      if (!answer) silent.insert(key);
    }
    rest.push_back(key);
  }
  const auto accounted = gateway_.accounting(ids_of(rest));
  for (const auto& key : rest) {
    const auto rows = accounted ? slurm::rows_of(*accounted.value, key) : std::vector<slurm::AccountingRow>();
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return is_revoked(status_of(row)); })) {
      moved.push_back(key);
      continue;
    }
    JobStatus none;
    none.unknown_to_slurm = accounted && !silent.contains(key);
    for (const auto& row : rows) {
      const auto status = status_of(row);
      // A living job is in the queue. This one ended, and accounting has yet to hear of it, or the controller was
      // killed and came back with a state from before the job.
      const bool alive = status.phase != Phase::ended && status.phase != Phase::unknown;
      const bool by_nobody = status.ending == Ending::cancelled && !row.cancelled_by;
      if (alive && none.unknown_to_slurm)
        none.alive_in_accounting = true;
      else if (by_nobody && none.unknown_to_slurm)
        none.cancelled_by_nobody = true;
      else
        keep_telling(found, key, status);
    }
    if (none.alive_in_accounting || none.cancelled_by_nobody) found[key] = none;
    found.try_emplace(key, none);
  }
  if (!moved.empty()) ask_other_clusters(moved, found);
  return found;
}

}  // namespace rv::monitor
