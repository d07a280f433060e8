#include "monitor/tasks/task_results.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/base/temporary_folder.h"

namespace rv::monitor {
namespace {

TaskList four_tasks() {
  TaskList list;
  list.command = {"fit", "{}"};
  list.values = {"a", "b", "c", "d"};
  list.numbers = {1, 2, 3, 4};
  return list;
}

/// The states of a run with these files.
std::vector<TaskResult> results_in(const TemporaryFolder& run, bool over) {
  TaskReader reader(run.path(), four_tasks());
  reader.read();
  return reader.results(over);
}

std::string states(const std::vector<TaskResult>& results) {
  std::string text;
  for (const auto& result : results) text.append(to_string(result.state)).append(" ");
  return text;
}

constexpr auto pass = "pass 7.0 n1 t 1-4\n";

}  // namespace

TEST_CASE("a list of tasks is stored with any bytes and read again") {
  const TemporaryFolder run;
  CHECK(!read_task_list(run.path()));
  CHECK(!has_tasks(run.path()));
  auto list = four_tasks();
  list.values = {"", "\xff\n", "{}"};
  list.numbers = {1, 3};
  list.options = {"--name=\xfe"};
  list.gpus_per_task = 2;
  list.retries = 3;
  write_task_list(run.path(), list);
  CHECK(has_tasks(run.path()));
  const auto read = read_task_list(run.path());
  REQUIRE(read);
  CHECK(read->values == list.values);
  CHECK(read->command == list.command);
  CHECK(read->options == list.options);
  CHECK(read->numbers == list.numbers);
  CHECK(read->gpus_per_task == 2);
  CHECK(read->retries == 3);
}

TEST_CASE("a task has ended, runs, waits or was interrupted") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  run.write("map/claims/2", "chunk 7.0 n1 t 1-3\n");
  run.write("map/journal/7.0.n1",
            "start 1 1 0 0 10.000 0 0 0 0\nend 1 1 0 0 12.500 0 7 0 0\n"
            "start 2 1 0 0 12.600 7 0 0 0\nend 2 1 0 0 13.000 7 0 139 11\n"
            "start 3 1 0 0 13.000 7 0 0 0\n");
  CHECK(states(results_in(run, false)) == "ok failed running not-started ");
  const auto results = results_in(run, true);
  CHECK(states(results) == "ok failed interrupted not-started ");
  CHECK(summary_of(results) == "1 of 4 tasks ok, 1 not started, 1 interrupted, 1 failed: task 2 (SIGSEGV)");
  CHECK(node_of(results[0].writer) == "n1");
}

TEST_CASE("a torn last line is ignored until it is whole") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  run.write("map/claims/2", "chunk 7.0 n1 t 1-4\n");
  run.write("map/journal/7.0.n1", "start 1 1 0 0 10.000 0 0 0 0\nend 1 1 0 0 12.500 0 7 0");
  TaskReader reader(run.path(), four_tasks());
  reader.read();
  CHECK(reader.results(true).front().state == TaskState::interrupted);
  std::ofstream(run / "map/journal/7.0.n1", std::ios::app) << " 0\n";
  reader.read();
  CHECK(reader.results(true).front().state == TaskState::ok);
}

TEST_CASE("a claimed task without a start may have begun, unless its node returned it") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  run.write("map/claims/2", "chunk 7.0 n1 t 1-2\n");
  run.write("map/journal/7.0.n1", "returned 2 1 0 - 0.000 0 0 0 0\n");
  CHECK(states(results_in(run, true)) == "interrupted not-started not-started not-started ");
}

TEST_CASE("a task of an earlier start of the job does not run any more") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  run.write("map/claims/2", "chunk 7.0 n1 t 1\n");
  run.write("map/claims/3", "pass 7.1 n2 t 1-4\n");
  run.write("map/journal/7.0.n1", "start 1 1 0 0 10.000 0 0 0 0\n");
  CHECK(states(results_in(run, false)) == "interrupted not-started not-started not-started ");
  // Its second start counts, whichever journal is read first and whatever the clocks say.
  run.write("map/claims/4", "chunk 7.1 a t 1\n");
  run.write("map/journal/7.1.a", "start 1 2 0 0 9.000 0 0 0 0\nend 1 2 0 0 9.500 0 0 3 0\n");
  const auto results = results_in(run, false);
  CHECK(states(results) == "failed not-started not-started not-started ");
  CHECK(results.front().start->attempt == 2);
  CHECK(results.front().writer == "7.1.a");
}

TEST_CASE("a task that was ended by the signal to stop is interrupted") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  run.write("map/claims/2", "chunk 7.0 n1 t 1\n");
  run.write("map/journal/7.0.n1", "start 1 1 0 0 10.000 0 0 0 0\ncut 1 1 0 0 11.000 0 0 143 15\n");
  CHECK(states(results_in(run, true)) == "interrupted not-started not-started not-started ");
}

TEST_CASE("a run that continues another has its results too") {
  const TemporaryFolder run;
  run.write("map/claims/1", pass);
  write_earlier_results(run.path(), {{.task = 9,
                                      .state = TaskState::failed,
                                      .run = "k3f9x2",
                                      .writer = "6.0.n7",
                                      .start = TaskRecord{.task = 9, .time = 5},
                                      .end = TaskRecord{.event = TaskEvent::end, .task = 9, .time = 8, .code = 2}}});
  const auto results = results_in(run, true);
  REQUIRE(results.size() == 5);
  CHECK(results.back().state == TaskState::failed);
  CHECK(results.back().run == "k3f9x2");
  CHECK(results.back().start->time == 5);
  CHECK(node_of(results.back().writer) == "n7");
}

TEST_CASE("the output of a task is its part of its slot's file") {
  const TemporaryFolder run;
  run.write("map/output/7.0.n1.2", "first\nsecond\nthird\n");
  const TaskRecord start{.task = 2, .slot = 2, .offset = 6};
  const TaskRecord end{.event = TaskEvent::end, .task = 2, .slot = 2, .offset = 6, .bytes = 7};
  CHECK(output_of(run.path(), "7.0.n1", start, end) == "second\n");
  CHECK(output_of(run.path(), "7.0.n1", start, std::nullopt) == "second\nthird\n");
  CHECK(output_of(run.path(), "7.0.n2", start, end).empty());
}

TEST_CASE("many failures are counted, and the first are named") {
  std::vector<TaskResult> results(10'000);
  for (int task = 1; task <= 10'000; ++task) {
    auto& result = results[static_cast<std::size_t>(task) - 1];
    result.task = task;
    result.state = task <= 12 ? TaskState::failed : TaskState::ok;
  }
  CHECK(summary_of(results) == "9,988 of 10,000 tasks ok, 12 failed: tasks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …");
}

}  // namespace rv::monitor
