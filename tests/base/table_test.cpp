#include "base/table.h"

#include <doctest/doctest.h>

namespace rv::cli {

TEST_CASE("columns are as wide as their widest cell, counted in characters") {
  Table table;
  table.column("#", Table::Align::right);
  table.column("GPUs");
  table.column("cost", Table::Align::right);
  table.row({"1", "4× A40", "817"});
  table.row({"10", "2×2 A100", "4"});
  CHECK(table.text(80, false) ==
        " #  GPUs      cost\n"
        " 1  4× A40     817\n"
        "10  2×2 A100     4\n");
  CHECK(table.text(80, true).starts_with("\033[1m #  GPUs      cost\033[0m\n"));
}

TEST_CASE("the widest left-aligned column gives way, never a right-aligned one") {
  Table table;
  table.column("name");
  table.column("number", Table::Align::right);
  table.row({"a very long name indeed", "1234567"});
  CHECK(table.text(20, false) ==
        "name          number\n"
        "a very lon…  1234567\n");
  // Nothing can give any more: the table is wider than asked rather than empty.
  CHECK(table.text(1, false).find("1234567") != std::string::npos);
}

TEST_CASE("control characters in a cell can't break the table") {
  Table table;
  table.column("x");
  table.row({"a\nb\033[2J"});
  CHECK(table.text(80, false) == "x\na b [2J\n");
}

TEST_CASE("text is broken at blanks, with an indent") {
  CHECK(wrapped("one two three", 80, 2) == "one two three");
  CHECK(wrapped("one two three", 8, 2) == "one two\n  three");
  CHECK(wrapped("unbreakable-word next", 5, 2) == "unbreakable-word\n  next");
  CHECK(wrapped("", 5, 2).empty());
}

}  // namespace rv::cli
