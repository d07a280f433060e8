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

TEST_CASE("an invalid range is quoted") {
  for (const auto* text : {"", "x", "1-", "-3", "5-2", "1,,2", "1-5:0", "3:2", "0-9%", "0-9%0", "0-9%x", "1-2-3",
                           "0 -3", "4000001", "99999999999", "1,2,"}) {
    CAPTURE(text);
    try {
      parse_array(text);
      FAIL("taken");
    } catch (const rv::Error& error) {
      CHECK(error.code() == rv::ExitCode::usage);
      CHECK(std::string(error.what()).find(std::string("--array \"") + text) != std::string::npos);
    }
  }
}

TEST_CASE("a Slurm job ID with an index names an element of its array") {
  monitor::RunRecord run;
  run.id = "aaaaaa";
  run.name = "12_3";
  CHECK(!element_of_job("4711_3", run));  // not an array
  run.job.array = parse_array("0-3");
  CHECK(element_of_job("4711_3", run).value() == Indices{3});
  for (const auto* word : {"4711", "aaaaaa", "12_3", "4711_", "_3", "4711_[1-3]", "x_3"})
    CHECK(!element_of_job(word, run));
}

TEST_CASE("elements that a run does not have are named") {
  monitor::RunRecord run;
  run.id = "aaaaaa";
  CHECK_THROWS_WITH_AS(check_elements(run, {1}), "--element: run aaaaaa is not an array", rv::Error);
  run.job.array = parse_array("0-9");
  CHECK_NOTHROW(check_elements(run, {0, 9}));
  CHECK_THROWS_WITH_AS(check_elements(run, {3, 12, 13}), "run aaaaaa has no element 12, 13", rv::Error);
}
