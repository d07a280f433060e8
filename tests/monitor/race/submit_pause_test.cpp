#include "monitor/race/submit_pause.h"

#include <doctest/doctest.h>

using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

const TimePoint noon{std::chrono::seconds(1'795'000'000)};

Event event(EventKind kind, TimePoint time) {
  return {.time = time, .name = kind, .candidate = 1, .job = {}, .attempt = 1, .more = nlohmann::json::object()};
}

}  // namespace

TEST_CASE("pauses between submissions without an answer grow to a minute") {
  CHECK(pause_after(0) == 0s);
  CHECK(pause_after(1) == 2s);
  CHECK(pause_after(2) == 4s);
  CHECK(pause_after(5) == 32s);
  CHECK(pause_after(6) == 60s);
  CHECK(pause_after(1000) == 60s);
}

TEST_CASE("ten minutes of time-outs are some fifteen calls") {
  auto elapsed = 0s;
  int calls = 0;
  for (; elapsed < 613s; elapsed += 2s + pause_after(calls)) ++calls;
  CHECK(calls <= 15);
}

TEST_CASE("the journal stores when sbatch may be called again, also for the next process") {
  std::vector<Event> events{event(EventKind::intent, noon)};
  CHECK(next_submission(events, noon) < noon);
  events.push_back(event(EventKind::no_answer, noon));
  CHECK(next_submission(events, noon + 1s) == noon + 2s);
  events.push_back(event(EventKind::intent, noon + 3s));
  events.push_back(event(EventKind::no_answer, noon + 5s));
  CHECK(next_submission(events, noon + 6s) == noon + 9s);
  // A clock that runs ahead.
  CHECK(next_submission(events, noon) == noon + 4s);
  events.push_back(event(EventKind::found, noon + 10s));
  CHECK(next_submission(events, noon + 11s) < noon);
}
