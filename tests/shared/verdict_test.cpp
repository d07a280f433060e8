#include "shared/verdict.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("only all passes fold to a pass") {
  using enum Verdict;
  CHECK(fold({pass, pass}) == pass);
  CHECK(fold({pass, skip}) == skip);
  CHECK(fold({skip, error, pass}) == error);
  CHECK(fold({error, fail, skip, pass}) == fail);
  CHECK(fold({}) == error);
}

TEST_CASE("every verdict has its exit code, and allow-skip applies only to skips") {
  CHECK(exit_code(Verdict::pass, false) == 0);
  CHECK(exit_code(Verdict::fail, true) == 1);
  CHECK(exit_code(Verdict::error, true) == 3);
  CHECK(exit_code(Verdict::skip, false) == 77);
  CHECK(exit_code(Verdict::skip, true) == 0);
}

TEST_CASE("a verdict comes back from its name, and an unknown name is an error") {
  using enum Verdict;
  for (const auto verdict : {pass, fail, skip, error}) CHECK(verdict_named(to_string(verdict)) == verdict);
  CHECK(!verdict_named("Pass"));
  CHECK(verdict_from("") == error);
  CHECK(verdict_from("skip") == skip);
}

TEST_CASE("the worst verdict comes first, as they fold") {
  using enum Verdict;
  CHECK(severity(fail) < severity(error));
  CHECK(severity(error) < severity(skip));
  CHECK(severity(skip) < severity(pass));
}
