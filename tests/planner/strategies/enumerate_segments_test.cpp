#include <doctest/doctest.h>

#include "base/error.h"
#include "planner/strategies/enumerate.h"
#include "tests/planner/enumerate_strategies.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::ask;
using test::ask_for;
using test::enumerated;
using test::reasons;
using test::strategies_of;
using Names = std::vector<std::string>;

TEST_CASE("a window shorter than the work makes checkpointed strategies") {
  Request request = ask_for("a40", 2, 12h);
  request.windows = {{"a40", 4h}};
  Plan plan = enumerated(request);
  CHECK(test::summary(plan.strategies) == Names{"a40 1x2 plain [gpu-a40]", "a40 1x2 checkpoint [gpu-a40]"});
  CHECK(plan.strategies[1].time_limit == 4h);
  CHECK(plan.strategies[1].segments == 3);
  CHECK(plan.strategies[1].work_time == 12h);
  request.time = 13h;
  CHECK(enumerated(request).strategies.at(1).segments == 4);
  request.time = 4h;
  CHECK(strategies_of(request) == Names{"a40 1x2 plain [gpu-a40]"});
  request.windows = {{"a40", 0s}};
  CHECK(strategies_of(request) == Names{"a40 1x2 plain [gpu-a40]"});
}

TEST_CASE("windows go by model, alias or star") {
  Request request = ask(1, 12h);
  request.windows = {{"A100", 4h}, {"a40", 2h}};
  Names checkpointed;
  for (const Strategy& one : enumerated(request).strategies) {
    if (one.kind == Kind::checkpoint) checkpointed.push_back(one.gpu.name);
  }
  CHECK(checkpointed == Names{"a40", "a100_40", "a100_80"});
  request.windows = {{"*", 4h}};
  CHECK(strategies_of(request).size() == 14);
  request.windows = {{"*", 4h}, {"a40", 24h}};
  CHECK(strategies_of(request).size() == 13);
  request.windows = {{"nonsense", 4h}};
  CHECK_THROWS_AS(enumerated(request), rv::Error);
}

TEST_CASE("work beyond MaxTime is still possible in segments, each within MaxTime") {
  Request request = ask_for("3090", 1, 24h);
  request.windows = {{"*", 20h}};
  const Plan plan = enumerated(request);
  REQUIRE(plan.strategies.size() == 1);
  CHECK(plan.strategies[0].kind == Kind::checkpoint);
  CHECK(plan.strategies[0].time_limit == 12h);
  CHECK(plan.strategies[0].segments == 2);
  CHECK(reasons(plan, "rtx3090") == "you asked for 1d; interactive-rtx3090 allows 12h (MaxTime)");
}

TEST_CASE("checkpoint only leaves the others out") {
  Request request = ask_for("a40", 2, 12h);
  request.checkpoint_only = true;
  CHECK(reasons(enumerated(request), "a40").find("no backfill window is known") != std::string::npos);
  request.windows = {{"a40", 0s}};
  CHECK(reasons(enumerated(request), "a40").find("no backfill window is known") != std::string::npos);
  request.windows = {{"a40", 4h}};
  CHECK(strategies_of(request) == Names{"a40 1x2 checkpoint [gpu-a40]"});
  request.windows = {{"a40", 12h}};
  const Plan one_segment = enumerated(request);
  REQUIRE(one_segment.strategies.size() == 1);
  CHECK(one_segment.strategies[0].segments == 1);
  CHECK(one_segment.strategies[0].time_limit == 12h);
}

TEST_CASE("a MIG slice is not worked on in segments") {
  Request request = ask(1, 12h);
  request.mig = true;
  request.windows = {{"*", 4h}};
  CHECK(strategies_of(request) == Names{"1g.10gb 1x1 mig [gpu-mig]"});
  request.checkpoint_only = true;
  CHECK(reasons(enumerated(request), "1g.10gb") == "--checkpoint can't use MIG slices");
}
