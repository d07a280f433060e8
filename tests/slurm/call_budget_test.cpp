#include "slurm/call_budget.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::slurm;
using namespace std::chrono_literals;

namespace {

struct Bench {
  std::chrono::steady_clock::time_point now{1h};
  CallBudget budget{[this] { return now; }};

  void call(std::chrono::milliseconds took) {
    budget.begin();
    now += took;
    budget.end();
  }
};

}  // namespace

TEST_CASE("thirty calls at once, then two a second") {
  Bench bench;
  for (int i = 0; i < 30; ++i) {
    REQUIRE(bench.budget.wait() == 0ms);
    bench.call(0ms);
  }
  CHECK(bench.budget.wait() == 500ms);
  bench.now += 400ms;
  CHECK(bench.budget.wait() == 100ms);
  bench.now += 100ms;
  CHECK(bench.budget.wait() == 0ms);
  bench.call(0ms);
  CHECK(bench.budget.wait() == 500ms);
}

TEST_CASE("a bucket has at most thirty tokens after any pause") {
  Bench bench;
  bench.now += 24h;
  for (int i = 0; i < 30; ++i) bench.call(0ms);
  CHECK(bench.budget.wait() == 500ms);
}

TEST_CASE("calls made by others count") {
  Bench bench;
  bench.budget.spend(29);
  CHECK(bench.budget.wait() == 0ms);
  bench.call(0ms);
  CHECK(bench.budget.wait() == 500ms);
  bench.budget.spend(1000);
  CHECK(bench.budget.wait() == 500ms);
}

TEST_CASE("the state of an earlier process is resumed") {
  Bench bench;
  for (int i = 0; i < 29; ++i) bench.call(0ms);
  CHECK(bench.budget.tokens() == 1);
  Bench next;
  next.budget.resume(bench.budget.tokens(), 0ms);
  next.call(0ms);
  CHECK(next.budget.wait() == 500ms);
  next.budget.resume(0, 2s);
  CHECK(next.budget.tokens() == 4);
  next.budget.resume(0, 24h);
  CHECK(next.budget.tokens() == 30);
  // A clock that was set back gives nothing away.
  next.budget.resume(3, -5s);
  CHECK(next.budget.tokens() == 3);
}

TEST_CASE("a call without waiting is charged later") {
  Bench bench;
  for (int i = 0; i < 32; ++i) bench.call(0ms);
  CHECK(bench.budget.wait() == 1500ms);
}

TEST_CASE("slow answers are followed by pauses that grow, fast ones end that") {
  Bench bench;
  bench.call(999ms);
  CHECK(bench.budget.wait() == 0ms);
  bench.call(1500ms);
  CHECK(bench.budget.wait() == 1500ms);
  bench.now += 1500ms;
  CHECK(bench.budget.wait() == 0ms);
  bench.call(1000ms);
  CHECK(bench.budget.wait() == 3000ms);
  bench.call(1000ms);
  CHECK(bench.budget.wait() == 6000ms);
  bench.call(10s);
  CHECK(bench.budget.wait() == 12s);
  bench.call(10s);
  bench.call(10s);
  CHECK(bench.budget.wait() == 30s);
  bench.call(10ms);
  CHECK(bench.budget.wait() == 0ms);
}
