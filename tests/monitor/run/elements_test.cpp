#include "monitor/run/elements.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/run_folder.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

Element ended(int index, int code, ExitKind kind = ExitKind::exited) {
  return {index, std::nullopt,
          ExitRecord{.code = code, .time = TimePoint(std::chrono::seconds(100 + index)), .job = {7}, .kind = kind}};
}

}  // namespace

TEST_CASE("an array is over when every element is, and its code is the first bad one's") {
  const std::vector<int> indices{0, 1, 2};
  CHECK(!end_of_all({}, indices));
  CHECK(!end_of_all({ended(0, 0), {1}, ended(2, 0)}, indices));
  CHECK(!end_of_all({ended(0, 0), ended(2, 0)}, indices));
  CHECK(end_of_all({ended(0, 0), ended(1, 0), ended(2, 0)}, indices)->code == 0);
  const auto bad = end_of_all({ended(0, 0), ended(1, 4), ended(2, 3)}, indices);
  CHECK(bad->code == 4);
  CHECK(bad->time == TimePoint(std::chrono::seconds(102)));
  CHECK(end_of_all({ended(0, 0), ended(1, 0, ExitKind::terminated), ended(2, 0)}, indices)->kind ==
        ExitKind::terminated);
}

TEST_CASE("elements are formatted as text") {
  const std::vector<int> indices{0, 1, 2, 3, 5, 6};
  const std::vector<Element> elements{ended(0, 0), ended(1, 1), {2}, ended(3, 0, ExitKind::terminated)};
  CHECK(element_words(elements, indices) == "1 of 6 elements done, 2 failed (1, 3)");
  CHECK(element_words({}, indices) == "0 of 6 elements done");
  CHECK(without_end(elements, indices) == "2, 5, 6");
  CHECK(index_ranges({1, 2, 3, 7, 9, 10}) == "1-3, 7, 9, 10");
  CHECK(index_ranges({0, 2, 4, 6, 8, 10, 12, 14, 16}) == "0, 2, 4, 6, 8, 10, 12, 14, …");
}

TEST_CASE("read from one folder: each element's starts and exits, those of the attempt that was made for it last") {
  const TemporaryFolder runs;
  const RunFolder folder = RunFolder::create(runs.path());
  ElementLedgers ledgers;
  const auto read = [&](const std::vector<Entry>& retries = {}) {
    read_element_ledgers(folder.elements(), ledgers);
    return elements_of(ledgers, retries);
  };
  CHECK(read().empty());
  const auto write = [&](const std::string& name, const std::string& line) {
    os::write_file(folder.elements() + "/" + name, line);
  };
  write("2.1", "start 1 1 77 0 0 - n1 1000 t n1\n");
  write("10.1", "start 1 1 77 0 0 - n2 1000 t n2\n");
  write("10.2", "exit 1 1 77 0 exited 3 n2 1003 t n2\n");
  write("x.1", "foreign");
  write(".exit.77", "not in the ledger yet");
  auto elements = read();
  REQUIRE(elements.size() == 2);
  CHECK(elements[0].index == 2);
  CHECK(!elements[0].exit);
  CHECK(elements[0].start->node == "n1");
  CHECK(elements[1].index == 10);
  CHECK(elements[1].exit->code == 3);

  Entry retry;
  retry.kind = EntryKind::retry;
  retry.attempt = 2;
  retry.more = {{"elements", {10}}};
  CHECK(read({retry}).size() == 1);  // the tenth has not begun again
  write("10.3", "start 2 1 90 0 0 - n3 1100 u n3\n");
  write("10.4", "exit 2 1 90 0 exited 0 n3 1100 u n3\n");
  elements = read({retry});
  REQUIRE(elements.size() == 2);
  CHECK(elements[1].exit->code == 0);
  CHECK(elements[1].start->node == "n3");
}

TEST_CASE("records of elements that come after the outcome count more than it, once all have come") {
  RunRecord record;
  record.job.array = templates::JobArray{.elements = {0, 1}};
  const auto entry = [](const std::string& line) { return parse_entry(line + "\n").value(); };
  const auto started = entry("start 1 1 77 0 0 - n1 1000 t n1");
  const auto well = entry("exit 1 1 77 0 exited 0 n1 1003 t n1");
  const auto badly = entry("exit 1 1 77 0 exited 4 n1 1005 t n1");
  const auto terminated = entry("exit 1 1 77 0 terminated 143 n1 1005 t n1");
  const auto outcome = [&](const char* word, const ElementLedgers& elements) {
    const std::string line = std::string("outcome 1 0 0 0 ") + word + " - login 5 e - {}";
    return facts_of(record, {entry("claim 1 1 77 0 - - n1 5 a n1"), entry(line)}, elements, {}).outcome.value();
  };
  CHECK(outcome("lost", {{0, {started, well}}, {1, {started}}}).state == RunState::lost);
  CHECK(outcome("lost", {{0, {started, well}}, {1, {started, terminated}}}).state == RunState::lost);
  CHECK(outcome("node-failure", {{0, {started, well}}, {1, {started, well}}}).state == RunState::done);
  CHECK(outcome("failed", {{0, {started, well}}, {1, {started, well}}}).state == RunState::done);
  const auto failed = outcome("lost", {{0, {started, well}}, {1, {started, badly}}});
  CHECK(failed.state == RunState::failed);
  CHECK(failed.exit_code == 4);
  CHECK(failed.detail == "exit code 4, recorded late");
}

TEST_CASE("the state of an element is shown during and after the run") {
  const std::vector<int> indices{0, 1, 2, 3, 4};
  const std::vector<Element> elements{ended(0, 0), ended(1, 139), {2}, ended(3, 0, ExitKind::terminated)};
  const auto state = [&](int index, bool over) { return element_state(find_element(elements, index), over); };
  CHECK(state(0, false) == ElementState::done);
  CHECK(state(1, false) == ElementState::failed);
  CHECK(state(2, false) == ElementState::running);
  CHECK(state(2, true) == ElementState::lost);
  CHECK(state(3, false) == ElementState::failed);
  CHECK(state(4, false) == ElementState::queued);
  CHECK(state(4, true) == ElementState::not_started);
  CHECK(unsuccessful_indices(elements, indices, false) == std::vector<int>{1, 3});
  CHECK(unsuccessful_indices(elements, indices, true) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("the element of a log's label") {
  CHECK(element_of_label("3") == 3);
  CHECK(element_of_label("12.n2") == 12);
  CHECK(!element_of_label("n3"));
  CHECK(!element_of_label("3n"));
  CHECK(!element_of_label(""));
  CHECK(elements_in_words({4}) == "element 4");
  CHECK(elements_in_words({3, 7, 8, 9}) == "elements 3, 7-9");
}

TEST_CASE("stopped elements are not failures, and decide the run's end only without failures") {
  const std::vector<int> indices{0, 1, 2};
  const auto stopped = ended(1, -1, ExitKind::stopped);
  CHECK(!has_failed(stopped));
  CHECK(element_state(&stopped, false) == ElementState::stopped);
  CHECK(end_of_all({ended(0, 0), stopped, ended(2, 0)}, indices)->kind == ExitKind::stopped);
  const auto bad = end_of_all({ended(0, 0), stopped, ended(2, 3)}, indices);
  CHECK(bad->kind == ExitKind::exited);
  CHECK(bad->code == 3);
  CHECK(element_words({ended(0, 0), stopped, ended(2, 3)}, indices) ==
        "1 of 3 elements done, 1 failed (2), 1 stopped (1)");
  CHECK(unsuccessful_indices({ended(0, 0), stopped, ended(2, 3)}, indices, true) == std::vector<int>{1, 2});
}

TEST_CASE("a command that ended on TERM counts as stopped if rv stop --element named its element") {
  std::vector<Element> elements{ended(0, 143, ExitKind::terminated), ended(1, 143, ExitKind::terminated), ended(2, 1)};
  Event event;
  event.name = EventKind::stop_requested;
  event.more = {{"elements", {1, 2}}};
  mark_stopped(elements, {event});
  CHECK(elements[0].exit->kind == ExitKind::terminated);
  CHECK(elements[1].exit->kind == ExitKind::stopped);
  CHECK(elements[2].exit->kind == ExitKind::exited);  // it ended by itself
}

TEST_CASE("an element is stopped before its start by an end in its own ledger, which its job goes by") {
  const TemporaryFolder runs;
  const RunFolder folder = RunFolder::create(runs.path());
  ElementLedgers ledgers;
  Entry end;
  end.kind = EntryKind::exit;
  end.word = "stopped";
  CHECK(append_element_entry(folder.elements(), 12, ledgers[12], end));
  CHECK(append_element_entry(folder.elements(), 2, ledgers[2], end));
  ElementLedgers read;
  read_element_ledgers(folder.elements(), read);
  REQUIRE(read.size() == 2);
  REQUIRE(read[12].size() == 1);
  CHECK(exit_record(element_standing(read[12], 1).exit)->kind == ExitKind::stopped);
  const Standing run = standing_of(std::vector<Entry>{parse_entry("claim 1 1 77 0 - - n1 5 a n1\n").value()}, {});
  const JobIdentity job{.attempt = 1, .candidate = 1, .job = {77}};
  CHECK(at_element_start(element_standing(read[12], 1), run, job, {}) == Verdict::over);
  CHECK(at_element_start(element_standing({}, 1), run, job, {}) == Verdict::start);
  // Who was slower reads what was decided.
  std::vector<Entry> old;
  CHECK(!append_element_entry(folder.elements(), 2, old, end));
  CHECK(!may_stop_element(element_standing(old, 1), run, {}));
  CHECK(may_stop_element(element_standing({}, 1), run, {}));
}
