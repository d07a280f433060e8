#include "monitor/diagnosis/log_excerpt.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

TEST_CASE("the excerpt is the last ten lines of stderr, each cut at 300 bytes") {
  RunEvidence evidence;
  evidence.logs.push_back({.file = "logs/n1.out", .node = "n1", .lines = {"output"}, .first_line = 1});
  evidence.logs.push_back({.file = "logs/n1.err", .node = "n1", .lines = {}, .first_line = 1});
  for (int i = 0; i < 12; ++i) evidence.logs[1].lines.push_back(std::to_string(i));
  evidence.logs[1].lines.back() = std::string(400, 'x');
  Diagnosis diagnosis;
  add_log_excerpt(diagnosis, evidence);
  REQUIRE(diagnosis.tail.size() == 10);
  CHECK(diagnosis.tail.front() == "2");
  CHECK(diagnosis.tail.back() == std::string(300, 'x'));
  CHECK_FALSE(diagnosis.tail_element);
}

TEST_CASE("without stderr the excerpt is of the first log, and of no log it is empty") {
  RunEvidence evidence;
  Diagnosis nothing;
  add_log_excerpt(nothing, evidence);
  CHECK(nothing.tail.empty());
  evidence.logs.push_back({.file = "logs/n1.out", .node = "n1", .lines = {"output"}, .first_line = 1});
  evidence.logs.push_back({.file = "logs/n2.out", .node = "n2", .lines = {"more"}, .first_line = 1});
  Diagnosis diagnosis;
  add_log_excerpt(diagnosis, evidence);
  CHECK(diagnosis.tail == std::vector<std::string>{"output"});
}
