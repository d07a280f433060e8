#include "planner/replay/model/job_dependencies.h"

#include <algorithm>

#include "planner/replay/model/job_demand.h"

namespace rv::planner {

namespace {

/// Base IDs of "afterok:12(unfulfilled),afterany:13_4:14?after:15+10".
std::vector<std::int64_t> ids_of(std::string_view text) {
  std::vector<std::int64_t> ids;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find_first_of(",?"));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    word = word.substr(0, word.find('('));
    std::size_t colon = word.find(':');
    while (colon != std::string_view::npos) {
      word.remove_prefix(colon + 1);
      if (const std::int64_t id = base_id(word); id > 0) ids.push_back(id);
      colon = word.find(':');
    }
  }
  return ids;
}

}  // namespace

void JobDependencies::add_waiting(int number, std::string_view dependency) {
  waiting_.push_back({number, ids_of(dependency)});
}

int JobDependencies::resolve(std::vector<ReplayJob>& jobs) const {
  int unknown = 0;
  for (const Waiting& one : waiting_) {
    ReplayJob& job = jobs[one.number];
    bool known = true;
    for (const std::int64_t id : one.ids) {
      const auto found = numbers_.find(id);
      known = known && found != numbers_.end();
      if (found == numbers_.end()) continue;
      for (const int other : found->second) {
        if (other != one.number) job.after.push_back(other);
        if (never_start_.contains(other)) job.eligible = never;
      }
    }
    if (known) continue;
    ++unknown;
    job.eligible = never;
  }
  return unknown;
}

}  // namespace rv::planner
