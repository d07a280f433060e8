#include "monitor/follow/poll_interval.h"

#include <doctest/doctest.h>

using rv::monitor::PollInterval;
using namespace std::chrono_literals;

namespace {

// How long a poll rests after a question that was put now and took `took`.
std::chrono::milliseconds rest_after(PollInterval& interval, PollInterval::Clock::duration took, bool changed) {
  const auto asked = PollInterval::Clock::now();
  const auto answered = asked + took;
  interval.asked(asked, answered, changed);
  std::chrono::milliseconds rest{0};
  while (!interval.due(answered + rest)) rest += 100ms;
  return rest;
}

}  // namespace

TEST_CASE("the interval grows to half a minute without changes, and a change resets it") {
  PollInterval interval(1s);
  CHECK(rest_after(interval, 10ms, true) == 2s);
  CHECK(rest_after(interval, 10ms, false) == 3s);
  CHECK(rest_after(interval, 10ms, false) == 4500ms);
  for (int i = 0; i < 10; ++i) rest_after(interval, 10ms, false);
  CHECK(rest_after(interval, 10ms, false) == 30s);
  CHECK(rest_after(interval, 10ms, true) == 2s);
}

TEST_CASE("a slow controller is polled less often") {
  PollInterval interval(1s);
  CHECK(rest_after(interval, 3s, true) == 12s);
  CHECK(rest_after(interval, 10s, false) == 40s);
  CHECK(rest_after(interval, 10min, false) == 2min);
  CHECK(rest_after(interval, 10ms, true) == 2s);
}
