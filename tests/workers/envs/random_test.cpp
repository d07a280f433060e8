// Random numbers.
#include "workers/envs/numbers/random.h"

#include <doctest/doctest.h>

namespace rv::envs {

TEST_CASE("the generator is Philox4x32-10") {
  // The known answers of the generator's authors (Random123, kat_vectors).
  const auto zero = philox({{0, 0, 0, 0}}, 0U, 0U);
  CHECK(zero.word[0] == 0x6627e8d5U);
  CHECK(zero.word[1] == 0xe169c58dU);
  CHECK(zero.word[2] == 0xbc57ac4cU);
  CHECK(zero.word[3] == 0x9b00dbd8U);
  const auto all = philox({{~0U, ~0U, ~0U, ~0U}}, ~0U, ~0U);
  CHECK(all.word[0] == 0x408f276dU);
  CHECK(all.word[3] == 0x6d5451fdU);
  CHECK(uniform(0) == 0);
  CHECK(uniform(~0U) < 1);
}

}  // namespace rv::envs
