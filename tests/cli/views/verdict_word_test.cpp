#include "cli/views/verdict_word.h"

#include <doctest/doctest.h>

#include "base/tone.h"

using rv::Tone;
using rv::Verdict;
using rv::cli::verdict_word;

TEST_CASE("a verdict is shown as a word, and only passed is green") {
  CHECK(verdict_word(Verdict::pass, false) == "pass");
  CHECK(verdict_word(Verdict::error, false) == "error");
  const auto good = rv::coloured("pass", Tone::good, true);
  CHECK(verdict_word(Verdict::pass, true) == good);
  CHECK(verdict_word(Verdict::skip, true) == rv::coloured("skip", Tone::waiting, true));
  for (const auto verdict : {Verdict::fail, Verdict::error}) {
    const std::string word(rv::to_string(verdict));
    CHECK(verdict_word(verdict, true) == rv::coloured(word, Tone::bad, true));
  }
}
