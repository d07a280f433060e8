#include "monitor/run/retention.h"

#include <algorithm>

#include "base/walltime.h"

namespace rv::monitor {
namespace {

std::string reason_to_keep(const StoredRun& run) {
  if (!run.ended) return "is not over, or its state is unknown";
  if (run.has_job) return "still has a job in the queue";
  if (!run.named_by.empty()) return "run " + run.named_by + " refers to it";
  return "";
}

}  // namespace

std::vector<Choice> choose_removals(const std::vector<StoredRun>& runs, const KeepRules& rules, slurm::TimePoint now) {
  std::vector<Choice> choices;
  std::vector<std::size_t> movable;
  std::int64_t total = 0;
  for (const auto& run : runs) {
    total += run.bytes;
    Choice choice{run.id, false, reason_to_keep(run)};
    if (choice.why.empty()) {
      const auto age = now - *run.ended;
      choice.why = "ended " + format_duration(std::max(age, std::chrono::seconds(0))) + " ago";
      choice.remove = rules.older_than && age > *rules.older_than;
      if (choice.remove) {
        total -= run.bytes;
      } else {
        movable.push_back(choices.size());
      }
    }
    choices.push_back(std::move(choice));
  }
  if (!rules.most_bytes) return choices;
  std::stable_sort(movable.begin(), movable.end(),
                   [&](std::size_t a, std::size_t b) { return *runs[a].ended < *runs[b].ended; });
  for (const auto index : movable) {
    if (total <= *rules.most_bytes) break;
    total -= runs[index].bytes;
    choices[index].remove = true;
    choices[index].why += ", removed to get below the size limit";
  }
  return choices;
}

}  // namespace rv::monitor
