#include "shared/number.h"

#include <doctest/doctest.h>

#include <cstdint>

using rv::number_in;

TEST_CASE("a number is the whole text") {
  CHECK(number_in<int>("42") == 42);
  CHECK(number_in<int>("-7") == -7);
  CHECK(number_in<double>("0.5") == 0.5);
  for (const auto* text : {"", " 1", "1 ", "+1", "1x", "x", "0x10"}) CHECK_FALSE(number_in<int>(text));
  CHECK_FALSE(number_in<unsigned>("-1"));
  CHECK_FALSE(number_in<std::uint8_t>("256"));
}

TEST_CASE("a number is within its bounds, and finite") {
  CHECK(number_in<int>("1", 1, 3) == 1);
  CHECK(number_in<int>("3", 1, 3) == 3);
  CHECK_FALSE(number_in<int>("0", 1, 3));
  CHECK_FALSE(number_in<int>("4", 1, 3));
  for (const auto* text : {"nan", "inf", "-inf", "1e999"}) CHECK_FALSE(number_in<double>(text));
}
