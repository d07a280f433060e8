#include "workers/training/stored_choices.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/workers/error_of.h"

using rv::workers::append_choices;
using rv::workers::take_choices;

TEST_CASE("choices come back from the end of a state, and the state without them") {
  std::vector<float> state{0.5F, -1.25F};
  append_choices(state, {16777, 0, 3});
  CHECK(take_choices(state) == std::vector<int>{16777, 0, 3});
  CHECK(state == std::vector<float>{0.5F, -1.25F});
  append_choices(state, {});
  CHECK(take_choices(state).empty());
  CHECK(state.size() == 2);
}

TEST_CASE("a state whose end is not a list of choices is refused") {
  const auto infinite = std::numeric_limits<float>::infinity();
  for (std::vector<float> state : {std::vector<float>{1, 2, 3},
                                   {1, 2, -1},
                                   {1, 2, 1e30F},
                                   {1, 2, infinite},
                                   {1, 2, std::numeric_limits<float>::quiet_NaN()},
                                   {1, 2, 0.5F},
                                   {1, -2, 1},
                                   {1, 1e30F, 1}}) {
    CHECK(rv::tests::error_of([&] { take_choices(state); }) != "");
  }
  std::vector<float> empty;
  CHECK(rv::tests::error_of([&] { take_choices(empty); }) != "");
}
