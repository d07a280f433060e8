#include "cli/map/task_values.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const Words& command, const Words& values, const std::string& source) {
  try {
    check_tasks(command, values, source);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK(!error.advice().empty());
    return error.what();
  }
  return "";
}

std::string refused_lines(const std::string& text) {
  try {
    lines_of(text, "list");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a task is a line") {
  CHECK(lines_of("a\n b c \r\n\nd", "list") == Words{"a", " b c ", "", "d"});
  CHECK(lines_of("", "list").empty());
  CHECK(lines_of("\xff\n", "list") == Words{"\xff"});
  CHECK(refused_lines(std::string("a\nb\0c\n", 6)) == "list: line 2 has a NUL byte, which no argument can have");
  CHECK(refused_lines("a\n" + std::string(longest_value + 1, 'x')) == "list: line 2 is longer than 1 MiB");
  CHECK(refused_lines(std::string(longest_value, 'x')).empty());
}

TEST_CASE("members of a JSON object are text") {
  const auto fields = fields_of(R"({"a": "x y", "b": 1.5, "c": [1, "z"], "d": true, "e": null})");
  REQUIRE(fields);
  CHECK(*fields == Fields{{"a", "x y"}, {"b", "1.5"}, {"c", R"([1,"z"])"}, {"d", "true"}, {"e", "null"}});
  for (const char* text : {"", "a", "[1]", "3", "{", R"({"a": })", R"({"a": 1} x)"}) {
    CAPTURE(text);
    CHECK(!fields_of(text));
  }
}

TEST_CASE("a list that can't be run is refused with its line") {
  CHECK(refusal({"fit", "{}"}, {"a"}, "list").empty());
  CHECK(refusal({"fit"}, {}, "list") == "list has no tasks");
  CHECK(refusal({"fit"}, {"", ""}, "list") == "list has no tasks");
  CHECK(refusal({"fit"}, {}, "") == "there are no tasks after :::");
  CHECK(refusal({"fit"}, {""}, "").empty());
  const std::string good = R"({"lr": 1})";
  CHECK(refusal({"fit", "{lr}"}, {good, "", good}, "list").empty());
  CHECK(refusal({"fit", "{lr}"}, {good, "", "{\"lr\""}, "list") ==
        "list: line 3 is not a JSON object, and the command has {lr}");
  CHECK(refusal({"fit", "{lr}", "{seed}"}, {good}, "list") ==
        "list: line 1 has no member \"seed\", and the command has {seed}");
  CHECK(refusal({"fit", "{lr}"}, {R"({"lr": "a\u0000b"})"}, "list") ==
        "list: line 1 has a NUL character, which no argument can have");
  CHECK(refusal({"fit"}, {std::string(131'071, 'x')}, "").empty());
  CHECK(refusal({"fit"}, {std::string(131'072, 'x')}, "") ==
        "task 1 makes an argument of 131072 bytes; Linux accepts 131071");
}

}  // namespace rv::cli
