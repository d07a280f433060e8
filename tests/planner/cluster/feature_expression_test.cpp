#include "planner/cluster/feature_expression.h"

#include <doctest/doctest.h>

using rv::planner::both;
using rv::planner::FeatureExpression;

TEST_CASE("names, and, or, parentheses") {
  CHECK(FeatureExpression("").fits({}));
  CHECK(FeatureExpression("a").fits({"b", "a"}));
  CHECK_FALSE(FeatureExpression("a").fits({"ab"}));
  CHECK(FeatureExpression("a&b").fits({"a", "b"}));
  CHECK_FALSE(FeatureExpression("a&b").fits({"a"}));
  CHECK(FeatureExpression("a | b").fits({"b"}));
  CHECK(FeatureExpression("a&(b|c)").fits({"a", "c"}));
  CHECK_FALSE(FeatureExpression("a&(b|c)").fits({"c"}));
}

TEST_CASE("Slurm reads from left to right") {
  CHECK_FALSE(FeatureExpression("a|b&c").fits({"a"}));
  CHECK(FeatureExpression("a&b|c").fits({"c"}));
}

TEST_CASE("a text of another form fits every node") {
  for (const char* text : {"a,b", "a&", "&a", "(a", "a)", "()", "a||b", "[a|b", "a]|[b", "a*", "a*x", "[a*2|b"}) {
    CAPTURE(text);
    CHECK_FALSE(FeatureExpression(text).readable());
    CHECK(FeatureExpression(text).fits({}));
    CHECK(FeatureExpression(text).together({}, 1));
  }
  CHECK_FALSE(FeatureExpression(std::string(100000, '(')).readable());
}

namespace {

bool together(const char* text, const std::vector<FeatureExpression::Features>& nodes, int count) {
  const FeatureExpression expression(text);
  std::vector<const FeatureExpression::Features*> fitting;
  for (const auto& features : nodes) {
    if (expression.fits(features)) fitting.push_back(&features);
  }
  return static_cast<int>(fitting.size()) >= count && expression.together(fitting, count);
}

}  // namespace

TEST_CASE("with brackets all nodes have the same feature") {
  CHECK_FALSE(FeatureExpression("[a|b]").fits({"c"}));
  CHECK_FALSE(FeatureExpression("[a|b]").node_by_node());
  CHECK(together("[a|b]", {{"a"}, {"b"}}, 1));
  CHECK_FALSE(together("[a|b]", {{"a"}, {"b"}}, 2));
  CHECK(together("[a|b]", {{"a"}, {"b"}, {"b"}}, 2));
  CHECK_FALSE(together("x&[a|b]", {{"a"}, {"b"}}, 1));
  CHECK(together("x&[a|b]", {{"a"}, {"b", "x"}}, 1));
  CHECK(together("[a&x|b]", {{"a", "x"}, {"a"}}, 1));
  CHECK_FALSE(together("[a&x|b]", {{"a", "x"}, {"a"}}, 2));
}

TEST_CASE("a count requires that number of nodes with the feature") {
  CHECK_FALSE(together("a*1", {{"b"}}, 1));
  CHECK(together("a*1", {{"a"}, {"b"}}, 2));
  CHECK_FALSE(together("a*2", {{"a"}, {"b"}}, 2));
  CHECK(together("[a*1&b*1]", {{"a"}, {"b"}}, 2));
  CHECK_FALSE(together("[a*1&b*1]", {{"a"}, {"c"}}, 2));
  CHECK_FALSE(together("a*1&x", {{"a"}, {"b", "x"}}, 1));
  CHECK(together("a*1&x", {{"a", "x"}}, 1));
  CHECK_FALSE(together("a*2", {{"a"}}, 1));
  CHECK_FALSE(together("[a*2&b*1]", {{"a"}, {"b"}}, 2));
  // Without brackets every node has all of them.
  CHECK_FALSE(together("a*1&b*1", {{"a"}, {"b"}}, 2));
  CHECK(together("a*1&b*1", {{"a", "b"}}, 1));
}

TEST_CASE("every name of a feature expression is found") {
  CHECK(FeatureExpression("x&[a|(b&c)]").names() == std::vector<std::string>{"x", "a", "b", "c"});
  CHECK(FeatureExpression("[a*2&b*1]").names() == std::vector<std::string>{"a", "b"});
  CHECK(FeatureExpression("!a").names() == std::vector<std::string>{"!a"});
  CHECK(FeatureExpression("").names().empty());
}

TEST_CASE("a feature is added to an expression") {
  CHECK(both("", "x") == "x");
  CHECK(both("a", "x") == "a&x");
  CHECK(both("a&b", "x") == "a&b&x");
  CHECK(both("a|b", "x") == "(a|b)&x");
  CHECK(both("a&(b|c)", "x") == "a&(b|c)&x");
  CHECK(both("[a|b]", "x") == "[a|b]&x");
}

TEST_CASE("Slurm can't nest parentheses, and counts speak of other nodes") {
  CHECK_FALSE(both("(a&b)|c", "x").has_value());
  CHECK_FALSE(both("a*2&b*1", "x").has_value());
}

TEST_CASE("counts have forms that Slurm refuses") {
  for (const char* text : {"", "a", "a*2", "[a*1&b*1]", "(a&b)*2", "[(a|b)*1&c*1]", "[a|b]", "a*1&b", "a|b*1"}) {
    CHECK_MESSAGE(FeatureExpression(text).fault().empty(), text);
  }
  for (const char* text : {"[a*1|b*1]", "[a*1&b]"}) CHECK_FALSE(FeatureExpression(text).fault().empty());
  CHECK(FeatureExpression("a*1&b").has_open_counts());
  CHECK(FeatureExpression("(a&b)*2").has_open_counts());
  CHECK(FeatureExpression("a|b*1").has_open_counts());
  CHECK_FALSE(FeatureExpression("[a*1&b*1]").has_open_counts());
  CHECK_FALSE(FeatureExpression("a*2").has_open_counts());
}
