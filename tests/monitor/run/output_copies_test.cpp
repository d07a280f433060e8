#include "monitor/run/output_copies.h"

#include <doctest/doctest.h>

#include "monitor/run/run_end.h"

using namespace rv::monitor;

TEST_CASE("copies are counted by the marks that exit entries announce") {
  const auto copies = count_copies({"10.0", "11.0", "12.1"}, {"10.0.copied", "11.0.copy_failed", "12.0.copied", "x"});
  CHECK(copies.announced == 3);
  CHECK(copies.copied == 1);
  CHECK(copies.failed == 1);
  CHECK(copies.unfinished());
  CHECK_FALSE(count_copies({"10.0"}, {"10.0.copied"}).unfinished());
  CHECK_FALSE(count_copies({}, {}).unfinished());
}

TEST_CASE("an exit entry names its copy, and an outcome has the result of the copy") {
  const auto exit = parse_entry("exit 1 1 10 0 exited 0 n1 5 t n1 {\"bytes\":{},\"copy\":\"10.0\"}\n");
  REQUIRE(exit);
  CHECK(exit_record(exit)->copy_name == "10.0");
  const std::vector<Entry> entries{
      entry_of({.state = RunState::done, .exit_code = 0, .detail = "", .time = {}, .copy = CopyState::timeout}, 1)};
  CHECK(outcome_of(standing_of(entries, {}))->copy == CopyState::timeout);
  for (const auto state : {CopyState::under_way, CopyState::copied, CopyState::failed, CopyState::timeout,
                           CopyState::cancelled, CopyState::requeued, CopyState::unknown}) {
    CHECK(copy_state_from(to_string(state)) == state);
  }
}

TEST_CASE("files that were not copied are listed") {
  CHECK(copy_trouble({"missing results\n"}) == "--output results: does not exist after the run");
  CHECK(copy_trouble({"missing a\nfailed b c\n", "missing a\n"}) ==
        "--output a: does not exist after the run; --output b c: could not be copied");
  // As jobs of earlier versions wrote it.
  CHECK(copy_trouble({"results\n"}) == "--output results: could not be copied");
  CHECK(copy_trouble({"missing 1\nmissing 2\nmissing 3\nmissing 4\nmissing 5\n"}) ==
        "--output 1: does not exist after the run; --output 2: does not exist after the run; "
        "--output 3: does not exist after "
        "the run; and 2 more");
  // A disk was full, and the mark is empty.
  CHECK(copy_trouble({""}) == in_words(CopyState::failed));
}
