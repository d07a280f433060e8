#include "monitor/diagnosis/attempt_logs.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;
using Lines = std::vector<std::string>;

namespace {

RunFacts after(const std::vector<const char*>& lines) {
  std::vector<Entry> ledger;
  for (const char* line : lines) ledger.push_back(parse_entry(line).value());
  RunRecord record;
  record.job.retries = {.most = 3, .on = {}};
  return facts_of(record, std::move(ledger), {}, {});
}

const std::vector<const char*> second_attempt = {"claim 1 1 10 0 - - n1 5 a n1\n", "start 1 1 10 0 0 - n1 5 a n1\n",
                                                 "exit 1 1 10 0 exited 7 n1 5 a n1 {\"bytes\":{\"n1.out\":8}}\n",
                                                 "retry 2 0 0 0 - - login 6 r -\n"};

LogTail log_of(const std::string& file, const std::string& node, Lines lines, long long begin = 0) {
  return {.file = file, .node = node, .lines = std::move(lines), .first_line = 1, .begin = begin};
}

}  // namespace

TEST_CASE("lines of earlier attempts are removed from the logs") {
  std::vector<LogTail> logs = {log_of("logs/n1.out", "n1", {"one", "two", "three"}), log_of("logs/n2.out", "n2", {"x"}),
                               log_of("candidates/1/slurm.log", "", {"batch"})};
  keep_present_attempt(after(second_attempt), logs);
  REQUIRE(logs.size() == 3);
  CHECK(logs[0].lines == Lines{"three"});
  CHECK(logs[0].first_line == 3);
  CHECK(logs[1].lines == Lines{"x"});
}

TEST_CASE("the end of a long log counts its bytes from the file's beginning") {
  std::vector<LogTail> logs = {log_of("logs/n1.out", "n1", {"two", "three"}, 4)};
  keep_present_attempt(after(second_attempt), logs);
  CHECK(logs[0].lines == Lines{"three"});
  logs = {log_of("logs/n1.out", "n1", {"two", "three"}, 1000)};
  keep_present_attempt(after(second_attempt), logs);
  CHECK(logs[0].lines == Lines{"two", "three"});
}

TEST_CASE("an attempt that wrote nothing has no last line") {
  std::vector<LogTail> logs = {log_of("logs/n1.out", "n1", {"one", "two"})};
  keep_present_attempt(after(second_attempt), logs);
  CHECK(logs.empty());
  CHECK(last_line_of(logs).empty());
}

TEST_CASE("the first attempt keeps all lines") {
  std::vector<LogTail> logs = {log_of("logs/n1.out", "n1", {"one"})};
  keep_present_attempt(after({second_attempt.begin(), second_attempt.begin() + 3}), logs);
  CHECK(logs[0].lines == Lines{"one"});
}

TEST_CASE("the last line is stderr's, without blank lines, of nodes only") {
  CHECK(last_line_of({log_of("candidates/1/slurm.log", "", {"batch"}), log_of("logs/n1.err", "n1", {"bad", " ", ""}),
                      log_of("logs/n1.out", "n1", {"good"})}) == "bad");
  CHECK(last_line_of({log_of("logs/n1.err", "n1", {}), log_of("logs/n1.out", "n1", {"good"})}) == "good");
  CHECK(last_line_of({log_of("logs/n1.out", "n1", {"good"}), log_of("logs/n2.err", "n2", {"bad"})}) == "bad");
  CHECK(last_line_of({log_of("logs/n1.out", "n1", {std::string(500, 'x')})}).size() == 200);
}
