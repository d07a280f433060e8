#include "workers/training/step_shares.h"

#include <doctest/doctest.h>

using namespace rv::workers;

TEST_CASE("what a step takes less without the others is communication, and without input, input") {
  const auto shares = shares_of({10, 8, 6});
  CHECK(shares.communication == doctest::Approx(0.2));
  CHECK(shares.input == doctest::Approx(0.2));
  CHECK(shares.compute == doctest::Approx(0.6));
}

TEST_CASE("a part that makes steps slower when left out has the share 0: shares are never negative") {
  for (const auto& times : {StepTimes{10, 11, 12}, StepTimes{10, 9, 12}, StepTimes{10, 12, 9}, StepTimes{10, 10, 10}}) {
    const auto shares = shares_of(times);
    CHECK(shares.communication >= 0);
    CHECK(shares.input >= 0);
    CHECK(shares.communication + shares.input + shares.compute == doctest::Approx(1));
  }
  CHECK(shares_of({10, 9, 12}).communication == doctest::Approx(0.1));
  CHECK(shares_of({10, 12, 9}).input == doctest::Approx(0.1));
}
