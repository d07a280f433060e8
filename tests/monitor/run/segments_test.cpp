#include "monitor/run/segments.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

TEST_CASE("segments are read as their jobs wrote them") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  CHECK(read_segments(folder, {}).empty());
  std::vector<Entry> starts;
  for (const auto* line : {"start 1 1 7 0 1 - n1 1700000000 a n[1-2]\n", "start 1 1 7 1 2 - n3 1700000100 b n3\n",
                           "start 1 1 8 0 3 - n3 1700000300 c n3\n"}) {
    starts.push_back(*parse_entry(line));
  }
  os::write_file(folder.file("chain/1.alive"), "1700000060\n");
  os::write_file(folder.file("chain/1.end"), "- 1700000090 lost 0\n");
  os::write_file(folder.file("chain/2.end"), "138 1700000200 time_limit 1\n");
  os::write_file(folder.file("chain/3.end"), "torn");
  os::write_file(folder.file("chain/exclude"), "n1\nn2\n");

  const auto segments = read_segments(folder, starts);
  REQUIRE(segments.size() == 3);
  CHECK(segments[0].job == JobId{7});
  CHECK(segments[0].nodes == "n[1-2]");
  CHECK(segments[0].seen->time_since_epoch().count() == 1700000060);
  REQUIRE(segments[0].end);
  CHECK(!segments[0].end->code);
  CHECK(segments[0].end->reason == SegmentReason::lost);
  CHECK(!segments[0].end->progress);
  CHECK(segments[1].restart == 1);
  CHECK(segments[1].end->code == 138);
  CHECK(segments[1].end->progress);
  CHECK(!segments[2].end);
  CHECK(failed_nodes(folder) == std::vector<std::string>{"n1", "n2"});
}

TEST_CASE("an end says that nothing was saved, unless the command has finished") {
  SegmentEnd end{.code = 3, .time = {}, .reason = SegmentReason::crashed, .progress = false};
  CHECK(in_words(end) == "crashed (exit code 3), nothing saved");
  end.progress = true;
  CHECK(in_words(end) == "crashed (exit code 3)");
  end.reason = SegmentReason::time_limit;
  CHECK(in_words(end) == "time_limit");
  end = {.code = 0, .time = {}, .reason = SegmentReason::finished, .progress = false};
  CHECK(in_words(end) == "finished");
}
