#include <doctest/doctest.h>

#include "cli/top/screen.h"

using namespace rv::cli::top;

TEST_CASE("text stays inside its columns, wide characters whole") {
  Screen screen(6, 2);
  CHECK(screen.put(0, 0, "ab\tc\x1b[2J", Style::plain, 5) == 5);
  CHECK(screen.put(1, 1, "裁裁裁") == 5);
  CHECK(screen.text() == "ab c\n 裁裁\n");
  CHECK(screen.put(5, 0, "nowhere") == 0);
  screen.put_right(1, 6, "\xff\xc3)");
  CHECK(screen.text() == "ab c\n 裁?\?)\n");
  CHECK(columns_of("é裁é́") == 4);
}

TEST_CASE("only changes are written to a terminal, and no colour without colour support") {
  Screen before(5, 3);
  before.put(0, 0, "one");
  before.put(1, 0, "two", Style::good);
  Screen after = before;
  CHECK(after.ansi(&before, true).empty());
  after.put(1, 0, "six", Style::good);
  CHECK(after.ansi(&before, true) == "\x1b[2;1H\x1b[0;38;5;39msix\x1b[0m\x1b[K");
  CHECK(after.ansi(&before, false) == "\x1b[2;1H\x1b[0msix\x1b[0m\x1b[K");
  CHECK(after.ansi(nullptr, true).starts_with("\x1b[0m\x1b[2J\x1b[1;1Hone"));
  const Screen wider(6, 3);
  CHECK(after.ansi(&wider, true).starts_with("\x1b[0m\x1b[2J"));
  // A full row's last character would be erased from behind it.
  Screen full(3, 1);
  full.put(0, 0, "abc");
  CHECK(full.ansi(nullptr, true) == "\x1b[0m\x1b[2J\x1b[1;1Habc");
}

TEST_CASE("bars and sparklines") {
  CHECK(bar(0.55, 10, true) == "█████▌····");
  CHECK(bar(0.55, 10, false) == "#####+....");
  CHECK(bar(7, 3, true) == "███");
  CHECK(bar(-1, 3, true) == "···");
  CHECK(sparkline({0, 0.5, 1}, 2, true) == "▅█");
  CHECK(sparkline({0, 0.5, 1}, 9, false) == "_=#");
  CHECK(fitted("abcdef", 4, true) == "abc…");
  CHECK(fitted("abcdef", 4, false) == "ab..");
  CHECK(fitted("裁裁裁", 4, true) == "裁…");
  CHECK(fitted("abcdef", 6, true) == "abcdef");
}
