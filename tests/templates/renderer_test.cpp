#include "templates/renderer.h"

#include <doctest/doctest.h>

#include <array>

#include "base/error.h"

using rv::EmbeddedFile;
using rv::templates::render;
using rv::templates::Values;

namespace {

std::string rendered(std::string_view text, const Values& values) {
  const std::array files{EmbeddedFile{"t", text}, EmbeddedFile{"part", "in {{a}}\n"}};
  return render("t", values, files);
}

}  // namespace

TEST_CASE("a value becomes one quoted word") {
  CHECK(rendered("x={{a}}\n", {{"a", std::string("it's $(here)")}}) == "x='it'\\''s $(here)'\n");
  CHECK(rendered("x={{a}}\n", {{"a", std::string()}}) == "x=''\n");
}

TEST_CASE("a list becomes words, or lines as they are") {
  const Values values{{"a", std::vector<std::string>{"b c", "", "d"}}};
  CHECK(rendered("run {{words:a}} end\n", values) == "run 'b c' '' d end\n");
  CHECK(rendered("{{lines:a}}\n", values) == "b c\n\nd\n");
}

TEST_CASE("a conditional line goes when its value is empty and stays otherwise") {
  CHECK(rendered("{{?a}}x={{a}}\ny\n", {{"a", std::string("1")}}) == "x=1\ny\n");
  CHECK(rendered("{{?a}}x={{a}}\ny\n", {{"a", std::string()}}) == "y\n");
}

TEST_CASE("an included file is filled in as well") {
  CHECK(rendered("{{include:part}}\n", {{"a", std::string("v")}}) == "in v\n");
}

TEST_CASE("an optional value may stay unused, and a value of the same name comes before it") {
  const std::array files{EmbeddedFile{"t", "{{a}} {{b}}\n"}};
  const Values optional_values{{"b", std::string("2")}, {"c", std::string("3")}};
  CHECK(render("t", {{"a", std::string("1")}}, files, optional_values) == "1 2\n");
  CHECK(render("t", {{"a", std::string("1")}, {"b", std::string("4")}}, files, optional_values) == "1 4\n");
  CHECK_THROWS_AS(render("t", {}, files, optional_values), rv::Error);
}

TEST_CASE("template and values can't drift apart") {
  CHECK_THROWS_WITH_AS(rendered("{{a}} {{b}}\n", {{"a", std::string("1")}}), "template: no value has the name b",
                       rv::Error);
  CHECK_THROWS_WITH_AS(rendered("x\n", {{"a", std::string("1")}}), "template: nothing uses the value a", rv::Error);
  CHECK_THROWS_AS(rendered("{{words:a}}\n", {{"a", std::string("1")}}), rv::Error);
  CHECK_THROWS_AS(rendered("{{a}}\n", {{"a", std::vector<std::string>{"1"}}}), rv::Error);
  CHECK_THROWS_AS(rendered("{{a\n", {{"a", std::string("1")}}), rv::Error);
  CHECK_THROWS_AS(rendered("{{include:nothing}}\n", {}), rv::Error);
}
