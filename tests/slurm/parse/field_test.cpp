#include "slurm/parse/field.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::slurm;
using namespace std::chrono_literals;
using rv::Mebibytes;

namespace {

template <class Text>
concept CanBeSplit = requires(Text text) {
  split(std::forward<Text>(text), ',');
  split_outside_brackets(std::forward<Text>(text), ',');
};

}  // namespace

TEST_CASE("the parts of a temporary string can't be asked for") {
  CHECK(CanBeSplit<std::string&>);
  CHECK(CanBeSplit<const std::string&>);
  CHECK(CanBeSplit<std::string_view>);
  CHECK(CanBeSplit<const char*>);
  CHECK(!CanBeSplit<std::string>);
  CHECK(!CanBeSplit<const std::string>);
}

TEST_CASE("spans of time") {
  CHECK(parse_span("3-00:00:00") == 72h);
  CHECK(parse_span("2:00:00") == 2h);
  CHECK(parse_span("10:00") == 10min);
  CHECK(parse_span("30") == 30min);
  CHECK(parse_span("1-12") == 36h);
  // Found by fuzzing: the product overflowed.
  for (const auto* text :
       {"179547171795471737", "179547171795471737:00", "9223372036854775807:0:0", "9223372036854775807-0"}) {
    CHECK(parse_span(text) == std::nullopt);
  }
  CHECK(!parse_span("UNLIMITED"));
  CHECK(!parse_span("Partition_Limit"));
  CHECK(!parse_span("INVALID"));
  CHECK(!parse_span(""));
}

TEST_CASE("memory with units, per CPU and per node") {
  CHECK(parse_memory_field("512000") == Mebibytes{512000});
  CHECK(parse_memory_field("104G") == Mebibytes{104 * 1024});
  CHECK(parse_memory_field("1000Mc") == Mebibytes{1000});
  CHECK(parse_memory_field("1.50T") == Mebibytes{1536 * 1024});
  CHECK(parse_memory_field("0") == Mebibytes{0});
  CHECK(!parse_memory_field("N/A"));
}

TEST_CASE("times") {
  CHECK(parse_time("1795233184") == rv::planner::TimePoint(std::chrono::seconds(1795233184)));
  CHECK(!parse_time("Unknown"));
  CHECK(!parse_time("N/A"));
  CHECK(!parse_time("0"));
  CHECK(parse_time("2026-11-21T03:54:34"));
  CHECK(!parse_time("2026-11-21T03:54:34x"));
}

TEST_CASE("a cluster-local time is read in this machine's zone") {
  ::setenv("TZ", "UTC-2", 1);  // two hours east
  ::tzset();
  CHECK(parse_time("1970-01-02T02:00:00") == rv::planner::TimePoint(24h));
  ::unsetenv("TZ");
  ::tzset();
}

TEST_CASE("lists split outside brackets, and words for nothing") {
  CHECK(list_of("n[1-2,5],m") == std::vector<std::string>{"n[1-2,5]", "m"});
  CHECK(list_of("(null)").empty());
  CHECK(list_of("N/A").empty());
  CHECK(split("a||b", '|').size() == 3);
}
