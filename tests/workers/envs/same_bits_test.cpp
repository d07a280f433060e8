// That the same seed gives the same bits, and a state continues as it was.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/workers/envs/task_under_test.h"

namespace rv::envs {

TEST_CASE("the same seed gives the same bits, whatever the threads and the ranks") {
  auto given = parts(61, true);
  given.threads = 1;
  Rig one(given);
  given.threads = 7;
  Rig many(given);
  auto other = parts(31, true);
  other.settings.first_environment = 30;
  Rig second(other);
  given.settings.seed = 12;
  Rig different(given);
  for (std::uint32_t step = 0; step < 60; ++step) {
    one.step_randomly(step);
    many.step_randomly(step);
    std::copy(one.actions.begin() + 30 * 12, one.actions.end(), second.actions.begin());
    second.step();
    different.step_randomly(step);
  }
  CHECK(one.observations == many.observations);
  CHECK(one.rewards == many.rewards);
  CHECK(one.environments->state() == many.environments->state());
  CHECK(std::equal(second.observations.begin(), second.observations.end(), one.observations.begin() + 30 * 235));
  CHECK(one.observations != different.observations);
}

TEST_CASE("a restored state continues bit by bit, and another's is refused") {
  Rig rig(parts(9, true));
  for (std::uint32_t step = 0; step < 20; ++step) rig.step_randomly(step);
  const auto saved = rig.environments->state();
  for (std::uint32_t step = 20; step < 60; ++step) rig.step_randomly(step);
  Rig other(parts(9, true));
  other.environments->restore(saved);
  for (std::uint32_t step = 20; step < 60; ++step) other.step_randomly(step);
  CHECK(rig.observations == other.observations);
  CHECK(rig.environments->state() == other.environments->state());
  CHECK_THROWS_AS(Rig(parts(8, true)).environments->restore(saved), std::runtime_error);
  CHECK_THROWS_AS(Rig(parts(9, false)).environments->restore(saved), std::runtime_error);
  CHECK_THROWS_AS(rig.environments->restore({}), std::runtime_error);
}

}  // namespace rv::envs
