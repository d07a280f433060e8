#include "base/terminal_text.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace rv {

TEST_CASE("text for a terminal keeps lines, colours and every script") {
  for (const char* const text : {"a\tb\r\nc", "\x1b[1;31mred\x1b[0m", "é 漢字 🚀 \xc2\xa0", "עברית"})
    CHECK(terminal_text(text) == text);
}

TEST_CASE("control characters never reach a terminal, whatever their form") {
  CHECK(terminal_text("a\x1b[2Jb\x1b[1Ac\x1b[?25ld\x1b[>4;2me") == "abcde");
  CHECK(terminal_text("\x1b]0;title\x07x") == "?]0;title?x");
  CHECK(terminal_text("\x1b]52;c;aGk=\x1b\\x") == "?]52;c;aGk=?\\x");
  CHECK(terminal_text("\x1b"
                      "c\x1bP1$q\x08\x7f\x0e") == "?c?P1$q???");
  CHECK(terminal_text("U+009B \xc2\x9b"
                      "2J, raw \x9b"
                      "2J, U+0080 \xc2\x80") == "U+009B ?2J, raw ?2J, U+0080 ?");
  CHECK(terminal_text(std::string("a\0b", 3)) == "a?b");
  // Right to left from here on; line separators.
  CHECK(terminal_text("\xe2\x80\xae txt.exe \xe2\x81\xa6 \xe2\x80\xa8") == "? txt.exe ? ?");
  // Longer forms than needed, halves of UTF-16, what is cut off.
  CHECK(terminal_text("\xc0\x9b[2J \xe0\x82\x9b \xed\xa0\x80 \xf4\x90\x80\x80 \xc3") == "??[2J ??? ??? ???? ?");
  CHECK(terminal_text("\x1b[") == "?[");
  CHECK(terminal_text("\x1b[" + std::string(100, '1') + "m").starts_with("?[1"));
  CHECK(terminal_text("\x1b[1\x1b[2J") == "?[1");
  CHECK(terminal_text("\x1b[1\n2J") == "?[1\n2J");
}

TEST_CASE("one line of text from elsewhere has no control characters, C1 included") {
  CHECK(one_line("a\nb\tc\x1b[31m\x7f") == "a?b?c?[31m?");
  CHECK(one_line("\xc2\x9b"
                 "2J \x9b"
                 "2J é") == "?2J ?2J é");
}

TEST_CASE("the result of a filter does not depend on where the stream is split") {
  const std::string text = "a\x1b[31mé\x1b[2J漢\x9b\xc2\x9b\x1b]0;t\x07\r\n\x1b[1\x1b[0m🚀\xf0\x9f";
  for (std::size_t at = 0; at <= text.size(); ++at) {
    for (std::size_t next = at; next <= text.size(); ++next) {
      TerminalFilter filter;
      std::string out = filter.feed(text.substr(0, at));
      out += filter.feed(text.substr(at, next - at));
      out += filter.feed(text.substr(next));
      out += filter.finish();
      CHECK(out == terminal_text(text));
    }
  }
  TerminalFilter filter;
  CHECK(filter.feed("100%\x1b") == "100%");
  CHECK(filter.feed("[K\r") == "\r");
}

TEST_CASE("another rv may only redraw its lines") {
  TerminalFilter filter(TerminalFilter::Cursor::redraws);
  CHECK(filter.feed("\r\x1b[12A\x1b[J\x1b[K\x1b[H\x1b[31ma") == "\r\x1b[12A\x1b[J\x1b[K\x1b[H\x1b[31ma");
  CHECK(filter.feed("\x1b[2J\x1b[9999A\x1b[1;1H\x1b[?25l\x1b[6n\x1b[c\x1b[21t\x1b[B") == "");
  CHECK(filter.feed("\x1b]52;c;eA==\x07") == "?]52;c;eA==?");
  CHECK(terminal_text("\x1b[2A\x1b[K") == "");
}

TEST_CASE("a control character is found at any position") {
  CHECK(has_control_character("a\n"));
  CHECK(has_control_character("\x7f"));
  CHECK(has_control_character("é\xc2\x9b"));
  CHECK(has_control_character("\xe2\x80\xae txt"));
  CHECK_FALSE(has_control_character("é 漢 🚀 a?"));
  CHECK_FALSE(has_control_character(""));
}

}  // namespace rv

TEST_CASE("rv's own signs in ASCII") {
  CHECK(rv::ascii_signs("4× A40 → 5 µs … ≥ 1 – ≤ 2") == "4x A40 -> 5 us ~ >= 1 - <= 2");
  CHECK(rv::ascii_signs("naïve ×× ") == "naïve xx ");
  CHECK(rv::ascii_signs("") == "");
}
