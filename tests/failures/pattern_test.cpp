#include "base/failures/pattern.h"

#include <doctest/doctest.h>

#include <vector>

using namespace rv::failures;

TEST_CASE("patterns hold their parts in order") {
  CHECK(find_pattern("a*c", "xaybc"));
  CHECK(!find_pattern("a*c", "xcba"));
  CHECK(!find_pattern("ab", "Ab"));
  CHECK(find_pattern("NET/IB*status=12", "NET/IB : Got completion from peer 1.2.3.4<5> with status=12 opcode=1"));
}

TEST_CASE("a pattern is found where its first part is, with ^ only at the beginning") {
  CHECK(find_pattern("b*d", "abcd") == 1);
  CHECK(find_pattern("^ab", "abc") == 0);
  CHECK_FALSE(find_pattern("^bc", "abc"));
}

TEST_CASE("an excerpt never begins within a character") {
  std::string line(200, 'x');
  for (int i = 0; i < 60; ++i) line += "\xc3\xa9";  // é
  const auto part = excerpt(line, 301, 100);
  CHECK(part.size() == 78);
  CHECK((static_cast<unsigned char>(part[0]) & 0xC0U) != 0x80U);
}

TEST_CASE("the pieces of a line with progress bars are those between carriage returns") {
  std::vector<std::string> pieces;
  for_each_piece("\r1%\r2%", [&](std::string_view piece) { pieces.emplace_back(piece); });
  CHECK(pieces == std::vector<std::string>{"1%", "2%"});
}
