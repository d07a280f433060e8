#include "base/nearest_word.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("edits are counted, a swap of neighbours as one") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("a100", "a100") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("a10", "a100") == 1);
  CHECK(edit_distance("a010", "a100") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest words come first") {
  const std::vector<std::string> known{"a40", "a100", "a100_80", "h100", "rtx3090"};
  CHECK(nearest_words("a1000", known).front() == "a100");
  CHECK(nearest_words("rtx3900", known) == std::vector<std::string>{"rtx3090"});
  CHECK(nearest_words("RTX", known) == std::vector<std::string>{"rtx3090"});
  CHECK(nearest_words("a10", known, 2) == std::vector<std::string>{"a40", "a100"});
}

TEST_CASE("a distant word is not suggested") {
  CHECK(nearest_words("banana", {"a40", "h100"}).empty());
  CHECK(nearest_words("b", {"a"}).empty());
  CHECK(nearest_words("", {"a"}).empty());
}
