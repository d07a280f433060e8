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

TEST_CASE("what can't be decided for one node passes") {
  for (const char* text : {"[a|b]", "a*2", "[a*2&b*1]", "a,b", "!a", "a&", "&a", "(a", "a)", "()", "a||b"}) {
    CAPTURE(text);
    CHECK_FALSE(FeatureExpression(text).decidable());
    CHECK(FeatureExpression(text).fits({}));
  }
  CHECK_FALSE(FeatureExpression(std::string(100000, '(')).decidable());
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
