#include "shared/system/process_table.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

using namespace rv::os;

TEST_CASE("a process whose name contains parentheses and spaces") {
  const auto stat = parse_process_stat(
      "42 (a) b (c) S 7 42 42 0 -1 4194304 100 0 0 0 250 50 9 9 20 0 3 0 12345 1000000 77 18446744073709551615 1\n");
  REQUIRE(stat);
  CHECK(stat->parent == 7);
  CHECK(stat->cpu_ticks == 300);
  CHECK(stat->threads == 3);
  CHECK(stat->started == 12345);
  CHECK(stat->rss_pages == 77);
  CHECK(!stat->zombie);
  const auto ended = parse_process_stat("42 (x) Z 7 42 42 0 -1 4194304 100 0 0 0 250 50 9 9 20 0 3 0 12345 0 0 1 1\n");
  REQUIRE(ended);
  CHECK(ended->zombie);
  CHECK(ended->started == 12345);
  CHECK(!parse_process_stat("42 (x) S 7"));
}

TEST_CASE("this process is listed, as a child of its parent") {
  const auto all = numbers_in("/proc");
  CHECK(std::find(all.begin(), all.end(), ::getpid()) != all.end());
  CHECK(numbers_in("/no/such/folder").empty());
  const auto own = process_stat(::getpid());
  REQUIRE(own);
  CHECK(own->parent == ::getppid());
  const auto table = children_by_parent();
  const auto [begin, end] = table.equal_range(::getppid());
  CHECK(std::any_of(begin, end, [](const auto& one) { return one.second == ::getpid(); }));
  CHECK(!proc_file("/proc/no/such/file"));
}
