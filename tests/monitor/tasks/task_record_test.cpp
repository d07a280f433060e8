#include "monitor/tasks/task_record.h"

#include <doctest/doctest.h>

#include <csignal>

namespace rv::monitor {

TEST_CASE("a record of a task is written and read as one line") {
  const TaskRecord record{.event = TaskEvent::end,
                          .task = 17,
                          .attempt = 2,
                          .slot = 3,
                          .gpus = "2,3",
                          .time = 1790000000.125,
                          .offset = 4096,
                          .bytes = 12,
                          .code = 139,
                          .signal = SIGSEGV};
  CHECK(to_line(record) == "end 17 2 3 2,3 1790000000.125 4096 12 139 11");
  const auto read = parse_task_record(to_line(record));
  REQUIRE(read);
  CHECK(to_line(*read) == to_line(record));
  CHECK(end_in_words(*read) == "SIGSEGV");
  CHECK(to_line(TaskRecord{.task = 1}) == "start 1 1 0 - 0.000 0 0 0 0");
  CHECK(parse_task_record("start 1 1 0 - 0.000 0 0 0 0")->gpus.empty());
}

TEST_CASE("a torn or damaged line is not a record") {
  const std::string line = "end 17 2 3 2,3 1790000000.125 4096 12 1 0";
  REQUIRE(parse_task_record(line));
  for (std::size_t length = 0; length + 2 < line.size(); ++length) {
    CAPTURE(length);
    CHECK(!parse_task_record(line.substr(0, length)));
  }
  CHECK(!parse_task_record("ended 17 2 3 2,3 1790000000.125 4096 12 1 0"));
  CHECK(!parse_task_record("end 0 2 3 2,3 1790000000.125 4096 12 1 0"));
  CHECK(!parse_task_record(line + " 0"));
}

TEST_CASE("an exit code and a signal are named differently") {
  CHECK(end_in_words({.event = TaskEvent::end, .code = 3}) == "exit code 3");
  CHECK(end_in_brief({.event = TaskEvent::end, .code = 3}) == "3");
  CHECK(end_in_brief({.event = TaskEvent::end, .code = 137, .signal = SIGKILL}) == "SIGKILL");
}

}  // namespace rv::monitor
