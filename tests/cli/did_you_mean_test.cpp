#include "cli/did_you_mean.h"

#include <doctest/doctest.h>

#include <vector>

namespace rv::cli {

TEST_CASE("edit distance counts inserts, drops, changes and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("up", "upp") == 1);
  CHECK(edit_distance("stop", "sotp") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("a slip is found, a different word is not") {
  const std::vector<std::string> known{"up", "run", "stop", "status"};
  CHECK(did_you_mean("upp", known) == "up");
  CHECK(did_you_mean("sttus", known) == "status");
  CHECK(did_you_mean("rnu", known) == "run");
  CHECK_FALSE(did_you_mean("x", known));
  CHECK_FALSE(did_you_mean("launch", known));
  CHECK(suggestion("upp", known) == "; did you mean \"up\"?");
  CHECK(suggestion("launch", known).empty());
}

}  // namespace rv::cli
