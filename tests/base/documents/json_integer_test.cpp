#include "shared/documents/json_integer.h"

#include <doctest/doctest.h>

#include <limits>

using Json = nlohmann::json;

TEST_CASE("an integer is read where its type can hold it") {
  CHECK(rv::integer_in<int>(Json(7)) == 7);
  CHECK(rv::integer_in<int>(Json(-7)) == -7);
  CHECK(rv::integer_in<std::int64_t>(Json(std::numeric_limits<std::int64_t>::min())) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(rv::integer_in<std::uint64_t>(Json::parse("18446744073709551615")) ==
        std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("an integer that its type cannot hold is not read as another number") {
  CHECK_FALSE(rv::integer_in<int>(Json::parse("1e300")));
  CHECK_FALSE(rv::integer_in<int>(Json::parse("-1e300")));
  CHECK_FALSE(rv::integer_in<int>(Json::parse("1099511627776")));
  CHECK_FALSE(rv::integer_in<std::int64_t>(Json::parse("18446744073709551615")));
  CHECK_FALSE(rv::integer_in<std::int64_t>(Json::parse("99999999999999999999")));  // a double in nlohmann
  CHECK_FALSE(rv::integer_in<std::uint32_t>(Json(-1)));
  CHECK_FALSE(rv::integer_in<int>(Json(0.5)));
  CHECK_FALSE(rv::integer_in<int>(Json::parse("1e3")));
  CHECK_FALSE(rv::integer_in<int>(Json(std::numeric_limits<double>::quiet_NaN())));
  for (const auto* text : {"null", "true", "\"7\"", "[7]", "{}"}) {
    CAPTURE(text);
    CHECK_FALSE(rv::integer_in<int>(Json::parse(text)));
  }
}

TEST_CASE("a member is optional, or required, and an array is read whole or not at all") {
  const auto json = Json::parse(R"({"ports": [1, 2], "code": 1e300, "pid": 4})");
  CHECK(rv::member_integer<int>(json, "pid") == 4);
  CHECK_FALSE(rv::member_integer<int>(json, "code"));
  CHECK_FALSE(rv::member_integer<int>(Json(), "pid"));
  CHECK(rv::integer_at<int>(json, "pid") == 4);
  CHECK_THROWS_AS(rv::integer_at<int>(json, "code"), Json::exception);
  CHECK_THROWS_AS(rv::integer_at<int>(json, "none"), Json::exception);
  CHECK(rv::integer_or(json, "none", -1) == -1);
  CHECK_THROWS_AS(rv::integer_or(json, "code", -1), Json::exception);
  CHECK(rv::integers_or_none<int>(json, "ports") == std::vector{1, 2});
  CHECK(rv::integers_or_none<int>(json, "none").empty());
  CHECK_THROWS_AS(rv::integers_of<int>(Json::parse("[1, 4294967296]")), Json::exception);
  CHECK_THROWS_AS(rv::integers_of<int>(Json::parse("{\"a\": 1}")), Json::exception);
}
