#include "planner/cluster/job_name.h"

#include <doctest/doctest.h>

using rv::planner::name_key;

TEST_CASE("names that differ only in digits belong to the same work") {
  CHECK(name_key("train-lr0.01-seed3") == name_key("train-lr0.1-seed12"));
  CHECK(name_key("train") != name_key("test"));
  CHECK(name_key("train-7") == 1717114186);  // the recordings of days have it too: tests/bench/wait_accuracy/history.py
  CHECK(name_key("2024-11-21") == name_key("2025-01-02"));
}

TEST_CASE("every name has a key; an empty name has none") {
  CHECK(name_key("") == 0);
  CHECK(name_key("17") != 0);
  CHECK(name_key("a|b\nc\x1f") != 0);
}
