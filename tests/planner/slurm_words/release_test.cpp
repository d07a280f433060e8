#include "planner/slurm_words/release.h"

#include <doctest/doctest.h>

using rv::planner::release_of;

TEST_CASE("releases are ordered by their numbers") {
  CHECK(release_of("22.05.8") == 2205);
  CHECK(release_of("26.05.3-1") == 2605);
  CHECK(release_of("23.02.0-0rc1") == 2302);
  for (const char* text : {"", "26", "slurm", "-1.05", "2605.1", "22.-5"}) CHECK(release_of(text) == 0);
}
