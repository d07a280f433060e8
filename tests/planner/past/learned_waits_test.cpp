#include "planner/past/learned_waits.h"

#include <doctest/doctest.h>

using namespace rv::planner;
using std::chrono::seconds;

namespace {

TimePoint at(std::int64_t moment) {
  return TimePoint(seconds(1'700'000'000 + moment));
}

PastCase submission(std::int64_t moment, std::int64_t wait, double size) {
  PastCase one;
  one.features[PastCase::size] = size;
  one.replay = {.p10 = seconds(100), .p50 = seconds(200), .p90 = seconds(300)};
  one.submitted = at(moment);
  one.start = at(moment + wait);
  return one;
}

}  // namespace

TEST_CASE("without earlier cases the prediction is the replay's") {
  const auto wait = LearnedWaits().predict(submission(0, 0, 1));
  CHECK(wait.p10 == seconds(100));
  CHECK(wait.p50 == seconds(200));
  CHECK(wait.p90 == seconds(300));
}

TEST_CASE("cases that look alike count more than others") {
  LearnedWaits learned;
  for (std::int64_t i = 0; i < 20; ++i) learned.add(submission(i, 1000, 1));
  for (std::int64_t i = 20; i < 40; ++i) learned.add(submission(i, 50'000, 20));
  CHECK(learned.predict(submission(90'000, 0, 1)).p50 == seconds(1000));
  CHECK(learned.predict(submission(90'000, 0, 20)).p50 == seconds(50'000));
}

TEST_CASE("the start of a case that still waits is not used, but the time that it has waited is") {
  LearnedWaits one;
  LearnedWaits other;
  for (std::int64_t i = 0; i < 20; ++i) {
    one.add(submission(i, 20'000, 1));
    other.add(submission(i, 900'000, 1));
  }
  const auto now = submission(10'000, 0, 1);
  CHECK(one.predict(now).p50 == other.predict(now).p50);
  CHECK(one.predict(now).p50.value() > seconds(14'000));
  CHECK(one.predict(submission(30'000, 0, 1)).p50 == seconds(20'000));
}

TEST_CASE("the newest cases are kept") {
  LearnedWaits learned;
  for (std::int64_t i = 0; i < 2000; ++i) learned.add(submission(i, 10'000, 1));
  for (std::int64_t i = 2000; i < 4000; ++i) learned.add(submission(i, 1000, 1));
  CHECK(learned.predict(submission(90'000, 0, 1)).p90 == seconds(1000));
}
