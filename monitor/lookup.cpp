#include "monitor/lookup.h"

#include <algorithm>

namespace rv::monitor {

const slurm::QueueRow* QueueView::find(const JobKey& key) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.id == key.id && row.name == key.name; });
  return found == rows.end() ? nullptr : &*found;
}

const slurm::QueueRow* QueueView::find_name(std::string_view name) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

QueueView Lookup::look() {
  auto answer = gateway_.my_jobs();
  if (!answer) return {.answered = false, .trouble = answer.trouble, .rows = {}};
  return {.answered = true, .trouble = "", .rows = std::move(*answer.value)};
}

std::map<slurm::JobId, JobStatus> Lookup::vanished(const std::vector<JobKey>& keys, int records) {
  std::map<slurm::JobId, JobStatus> found;
  std::vector<slurm::JobId> rest;
  std::set<slurm::JobId> silent;  // asked about, without an answer
  for (const auto& key : keys) {
    if (records-- > 0) {
      const auto answer = gateway_.record(key.id);
      if (answer && !answer.value->empty() && answer.value->front().name == key.name) {
        found[key.id] = status_of(answer.value->front());
        continue;
      }
      if (!answer) silent.insert(key.id);
    }
    rest.push_back(key.id);
  }
  if (!rest.empty()) {
    if (const auto answer = gateway_.accounting(rest)) {
      for (const auto& row : *answer.value) {
        const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.id == row.id; });
        if (key == keys.end() || key->name != row.name) continue;
        auto& status = found[row.id] = status_of(row);
        // A living job is in the queue. What accounting still takes for one ended without the controller's knowledge:
        // it was killed and came back with a state from before the job.
        if (status.phase != Phase::ended && status.phase != Phase::unknown && !silent.contains(row.id)) {
          status.phase = Phase::ended;
          status.ending = Ending::forgotten;
        }
      }
    }
  }
  for (const auto& id : rest) found.try_emplace(id, JobStatus{});
  return found;
}

}  // namespace rv::monitor
