#include "monitor/run/retention.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;
using rv::slurm::TimePoint;

namespace {

const TimePoint now(1'700'000'000s);

StoredRun over(const char* id, std::chrono::seconds age, std::int64_t bytes) {
  return {.id = id, .name = id, .bytes = bytes, .ended = now - age, .has_job = false, .named_by = ""};
}

std::vector<std::string> removed(const std::vector<StoredRun>& runs, const KeepRules& rules) {
  std::vector<std::string> ids;
  for (const auto& choice : choose_removals(runs, rules, now)) {
    if (choice.remove) ids.push_back(choice.id);
  }
  return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("by age, counted from the end") {
  const std::vector<StoredRun> runs = {over("new", 1h, 1), over("edge", 24h, 1), over("old", 24h + 1s, 1)};
  CHECK(removed(runs, {.older_than = 24h, .most_bytes = {}}) == Ids{"old"});
  CHECK(removed(runs, {}).empty());
  CHECK(removed({over("tomorrow", -24h, 1)}, {.older_than = 1s, .most_bytes = {}}).empty());
}

TEST_CASE("by size, the oldest first, and only until it fits") {
  const std::vector<StoredRun> runs = {over("mid", 2h, 40), over("new", 1h, 40), over("old", 3h, 40)};
  CHECK(removed(runs, {.older_than = {}, .most_bytes = 120}).empty());
  CHECK(removed(runs, {.older_than = {}, .most_bytes = 119}) == Ids{"old"});
  CHECK(removed(runs, {.older_than = {}, .most_bytes = 79}) == Ids{"mid", "old"});
  CHECK(removed(runs, {.older_than = 150min, .most_bytes = 80}) == Ids{"old"});
}

TEST_CASE("a run that may be alive is kept at any age and size") {
  auto unknown = over("unknown", 9999h, 1000);
  unknown.ended.reset();
  auto has_job = over("job", 9999h, 1000);
  has_job.has_job = true;
  auto named = over("named", 9999h, 1000);
  named.named_by = "k3f9x2";
  const std::vector<StoredRun> runs = {unknown, has_job, named};
  CHECK(removed(runs, {.older_than = 1s, .most_bytes = 0}).empty());
  CHECK(choose_removals(runs, {}, now).at(2).why == "run k3f9x2 refers to it");
}
