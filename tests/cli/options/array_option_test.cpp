#include "cli/options/array_option.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::cli;
using Indices = std::vector<int>;

TEST_CASE("indices, ranges, steps and how many at a time") {
  CHECK(parse_array("7").elements == Indices{7});
  CHECK(parse_array("0-3").elements == Indices{0, 1, 2, 3});
  CHECK(parse_array("0-20:5").elements == Indices{0, 5, 10, 15, 20});
  CHECK(parse_array("8-10,3,1,9").elements == Indices{1, 3, 8, 9, 10});
  const auto throttled = parse_array("0-99%8");
  CHECK(throttled.elements.size() == 100);
  CHECK(throttled.text == "0-99%8");
}

TEST_CASE("what is none is named") {
  for (const auto* text : {"", "x", "1-", "-3", "5-2", "1,,2", "1-5:0", "3:2", "0-9%", "0-9%0", "0-9%x", "1-2-3",
                           "0 -3", "4000001", "99999999999", "1,2,"}) {
    CAPTURE(text);
    try {
      parse_array(text);
      FAIL("taken");
    } catch (const rv::Error& error) {
      CHECK(error.code() == rv::ExitCode::usage);
      CHECK(std::string(error.what()).find(std::string("--array ") + text) != std::string::npos);
    }
  }
}
