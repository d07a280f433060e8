#include "base/wrong_value.h"

#include <doctest/doctest.h>

#include <string>

using rv::wrong_value;

TEST_CASE("the error for a wrong value names the option, the value and what is expected") {
  const auto error = wrong_value("--port", "99999", "a port from 1 to 65535", "write it like --port 8888");
  CHECK(error.what() == std::string("--port \"99999\": expected a port from 1 to 65535"));
  CHECK(error.advice() == "write it like --port 8888");
  CHECK(error.code() == rv::ExitCode::usage);
}

TEST_CASE("a wrong value of several lines is shown on one line, and an empty value as quotes") {
  const std::string two = wrong_value("--name", "a\nb\x1b[2J", "one line", "").what();
  CHECK(two.find('\n') == std::string::npos);
  CHECK(two.find('\x1b') == std::string::npos);
  CHECK(wrong_value("--name", "", "a name", "").what() == std::string("--name \"\": expected a name"));
}
