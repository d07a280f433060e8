#include "cli/mcp/program_text.h"

#include <doctest/doctest.h>

namespace rv::mcp {

TEST_CASE("the text of a program can't control a terminal or hide characters") {
  CHECK(plain_text("a\tb\nc") == "a\tb\nc");
  CHECK(plain_text("\x1b[31mred\x1b[0m \x1b[2Jgone") == "red gone");
  CHECK(plain_text("10%\r20%\r\nend") == "10%\n20%\nend");
  CHECK(plain_text("a\u202eb") == "a?b");
  CHECK(plain_text("a\u200bb\ufeff\U000e0041") == "ab");
  CHECK(plain_text("a\ufe01\U000e0101\u3164b") == "ab");
  CHECK(plain_text("\xff\x07") == "??");
  CHECK(plain_document({{"a\x1b[31m", {"\x07", 1, nullptr}}}) == Json{{"a", {"?", 1, nullptr}}});
}

TEST_CASE("the last part of a text begins at a line, if one ends within it") {
  CHECK(last_part("one\ntwo\nthree\n", 100) == "one\ntwo\nthree\n");
  CHECK(last_part("one\ntwo\nthree\n", 8) == "three\n");
  CHECK(last_part("abcdefgh", 3) == "fgh");
}

TEST_CASE("the text of a program stands between marks") {
  CHECK(marked("x", "7f") == "--- output of a program, 7f ---\nx\n--- end of output 7f ---");
  CHECK(marked("", "7f") == "--- output of a program, 7f ---\n--- end of output 7f ---");
}

}  // namespace rv::mcp
