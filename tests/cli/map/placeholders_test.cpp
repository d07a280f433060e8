#include "cli/map/placeholders.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace rv::cli {

using Words = std::vector<std::string>;

TEST_CASE("placeholders are filled in each argument by itself") {
  CHECK(filled_command({"fit", "--in={}", "{#}", "{}{}"}, "a b", 7, {}) == Words{"fit", "--in=a b", "7", "a ba b"});
  CHECK(filled_command({"{}"}, "$(rm x)", 1, {}) == Words{"$(rm x)"});
  CHECK(filled_command({"fit", "{lr}-{}"}, "{\"lr\":1}", 1, {{"lr", "1"}}) == Words{"fit", "1-{\"lr\":1}"});
  // The value is not searched for placeholders.
  CHECK(filled_command({"fit", "{}"}, "{#}", 1, {}) == Words{"fit", "{#}"});
}

TEST_CASE("without a placeholder the value is the last argument") {
  CHECK(filled_command({"fit", "-v"}, "", 1, {}) == Words{"fit", "-v", ""});
  CHECK(filled_command({"echo", "{{}}"}, "a", 1, {}) == Words{"echo", "{}", "a"});
}

TEST_CASE("doubled braces are text, and other braces are left as they are") {
  CHECK(filled_command({"{{}}", "{{#}}", "{{name}}", "{}"}, "a", 1, {}) == Words{"{}", "{#}", "{name}", "a"});
  for (const char* word : {"{", "}", "{ }", "{a b}", "{\"a\": 1}", "{1}", "${x-y}", "{{", "{a,b}"}) {
    CAPTURE(word);
    CHECK(filled_command({"echo", word, "{}"}, "a", 1, {}) == Words{"echo", word, "a"});
  }
}

TEST_CASE("named placeholders are found once, in the order of their use") {
  CHECK(named_placeholders({"{b}", "{a}{b}", "{}", "{#}", "{{c}}", "{1}"}) == Words{"b", "a"});
  CHECK_THROWS_AS(filled_command({"{a}"}, "", 1, {{"b", ""}}), std::out_of_range);
  CHECK(has_placeholder("x{#}"));
  CHECK(!has_placeholder("{{x}}"));
}

}  // namespace rv::cli
