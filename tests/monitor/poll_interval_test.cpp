#include "monitor/follow/poll_interval.h"

#include <doctest/doctest.h>

using rv::monitor::PollInterval;
using namespace std::chrono_literals;

namespace {

// How long the tick rests after a question that was put now and took `took`.
std::chrono::milliseconds rest_after(PollInterval& tick, PollInterval::Clock::duration took, bool changed) {
  const auto asked = PollInterval::Clock::now();
  const auto answered = asked + took;
  tick.asked(asked, answered, changed);
  std::chrono::milliseconds rest{0};
  while (!tick.due(answered + rest)) rest += 100ms;
  return rest;
}

}  // namespace

TEST_CASE("it grows while nothing changes, up to half a minute, and begins anew with a change") {
  PollInterval tick(1s);
  CHECK(rest_after(tick, 10ms, true) == 2s);
  CHECK(rest_after(tick, 10ms, false) == 3s);
  CHECK(rest_after(tick, 10ms, false) == 4500ms);
  for (int i = 0; i < 10; ++i) rest_after(tick, 10ms, false);
  CHECK(rest_after(tick, 10ms, false) == 30s);
  CHECK(rest_after(tick, 10ms, true) == 2s);
}

TEST_CASE("a slow controller is asked the less") {
  PollInterval tick(1s);
  CHECK(rest_after(tick, 3s, true) == 12s);
  CHECK(rest_after(tick, 10s, false) == 40s);
  CHECK(rest_after(tick, 10min, false) == 2min);
  CHECK(rest_after(tick, 10ms, true) == 2s);
}
