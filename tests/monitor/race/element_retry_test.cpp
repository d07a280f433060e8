#include "monitor/race/element_retry.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

// Elements 0 to 3; 1 and 3 failed after 20 s, on n1 and n3.
struct Array {
  RunFacts facts;
  RunView view;
  std::string words = "NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus.";

  Array() {
    facts.record.job.requeue = true;
    facts.record.job.array = templates::JobArray{{0, 1, 2, 3}, 2};
    facts.claim = Claim{.by_stop = false, .candidate = 1, .job = JobId{70}, .node = "n0", .time = at(1)};
    for (const int index : {0, 1, 2, 3}) {
      Entry start;
      start.kind = EntryKind::start;
      start.node = "n" + std::to_string(index);
      start.time = at(10);
      facts.elements.push_back(
          {.index = index,
           .start = start,
           .exit = ExitRecord{.code = index % 2, .time = at(30), .job = JobId{70}, .kind = ExitKind::exited}});
    }
    facts.exit = facts.elements[1].exit;
    view.state = RunState::failed;
    view.exit_code = 1;
  }

  std::optional<Retry> retry() const {
    return element_retry(facts, view, [&](int index, const std::string& node) {
      LogTail log{.file = "logs/" + std::to_string(index) + ".err", .node = node, .lines = {words}, .first_line = 1};
      return std::vector<LogTail>{log};
    });
  }
};

}  // namespace

TEST_CASE("the elements that hardware ended are started again, without their nodes") {
  Array array;
  auto retry = array.retry();
  REQUIRE(retry);
  CHECK(retry->elements == std::vector<int>{1, 3});
  CHECK(retry->exclude == std::vector<std::string>{"n1", "n3"});
  CHECK(retry->failed == JobId{70});
  CHECK(retry->length == 0);
  CHECK(retry->why.starts_with("elements 1, 3: a GPU or its link is broken"));
  array.facts.elements[3].exit->code = 0;
  retry = array.retry();
  REQUIRE(retry);
  CHECK(retry->elements == std::vector<int>{1});
  CHECK(retry->why.starts_with("element 1: "));
}

TEST_CASE("elements that failed for another reason, late, or may run only once are left") {
  const auto left = [](auto&& change) {
    Array array;
    change(array);
    return !array.retry();
  };
  CHECK(left([](Array& array) { array.words = "Segmentation fault"; }));
  CHECK(left([](Array& array) { array.facts.record.job.requeue = false; }));
  CHECK(left([](Array& array) {
    for (auto& element : array.facts.elements) element.exit->time = at(10'000);
  }));
  CHECK(left([](Array& array) { array.facts.exit.reset(); }));  // some still run
  CHECK(left([](Array& array) { array.view.state = RunState::stopped; }));
  CHECK(left([](Array& array) { array.facts.claim.reset(); }));
  CHECK(left([](Array& array) {  // where it ran is not known
    for (auto& element : array.facts.elements) element.start.reset();
  }));
  CHECK(left([](Array& array) { array.facts.standing.attempt = 3; }));
}
