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
  // Nothing can give any more: the last columns are left out, and the first one stays.
  CHECK(table.text(10, false) == "name\na very lo…\n");
  CHECK(table.text(1, false) == "name\na v…\n");
}

TEST_CASE("a cell's tone is its colour, cut and padded as without one") {
  Table table;
  table.column("state");
  table.column("n", Table::Align::right);
  table.column("name");
  table.row({"failed", "7", "a long name"});
  table.tone(0, Tone::bad);
  table.tone(1, Tone::good);
  table.tone(2, Tone::quiet);
  table.row({"done", "", ""});
  table.tone(2, Tone::good);
  const auto plain = table.text(18, false);
  CHECK(plain == "state   n  name\nfailed  7  a long…\ndone\n");
  CHECK(table.text(18, true) ==
        "\033[1mstate   n  name\033[0m\n\033[1;38;5;170mfailed\033[0m  \033[38;5;39m7\033[0m  "
        "\033[38;5;245ma long…\033[0m\ndone\n");
}

TEST_CASE("text that a user may retype is never truncated") {
  Table table;
  table.column("ID", Table::Align::left, Table::Cut::never);
  table.column("name");
  table.column("state");
  table.row({"aaaaaa", "a long name", "running"});
  CHECK(table.text(19, false) == "ID      name   sta…\naaaaaa  a lo…  run…\n");
  CHECK(table.text(14, false) == "ID      name\naaaaaa  a lon…\n");
}

TEST_CASE("a column keeps its least width, and longer than the others") {
  Table table;
  table.column("#", Table::Align::right);
  table.column("GPUs", Table::Align::left, Table::Cut::never);
  table.column("partition");
  table.column("wait");
  table.column("cost", Table::Align::right);
  table.row({"1", "2× A100 40 GB", "gpu-a100-40", "5h, 3h to 9h", "12.5"});
  table.row({"2", "2× A100 80 GB", "gpu-a100-80", "now", "12.5"});
  table.at_least(3, 12);
  CHECK(table.text(45, false) ==
        "#  GPUs           partit…  wait          cost\n"
        "1  2× A100 40 GB  gpu-a1…  5h, 3h to 9h  12.5\n"
        "2  2× A100 80 GB  gpu-a1…  now           12.5\n");
  CHECK(table.text(30, false) ==
        "#  GPUs           wait\n"
        "1  2× A100 40 GB  5h, 3h to 9h\n"
        "2  2× A100 80 GB  now\n");
  CHECK(table.text(18, false) == "#  GPUs\n1  2× A100 40 GB\n2  2× A100 80 GB\n");
  CHECK(table.text(4, false) == "#\n1\n2\n");
}

TEST_CASE("a text is shortened by characters") {
  CHECK(shortened("größer", 6) == "größer");
  CHECK(shortened("größer als", 6) == "größe…");
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
