#include "monitor/follow/log_tail.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

TEST_CASE("the end of a log, from a line's beginning") {
  const TemporaryFolder home;
  os::write_file(home.path() + "/a.err", "one\ntwo\nthree\nfour");
  const auto whole = read_tail(home.path(), "a.err", 100);
  REQUIRE(whole);
  CHECK(whole->lines == std::vector<std::string>{"one", "two", "three", "four"});
  CHECK(whole->first_line == 1);
  const auto cut = read_tail(home.path(), "a.err", 12);
  REQUIRE(cut);
  CHECK(cut->lines == std::vector<std::string>{"three", "four"});
  CHECK(!cut->first_line);
}

TEST_CASE("logs without line ends, empty logs, missing logs and folders are handled") {
  const TemporaryFolder home;
  os::write_file(home.path() + "/bar", std::string(1000, 'x'));
  CHECK(read_tail(home.path(), "bar", 10)->lines == std::vector<std::string>{"xxxxxxxxxx"});
  os::write_file(home.path() + "/empty", "");
  CHECK(!read_tail(home.path(), "empty", 10));
  CHECK(!read_tail(home.path(), "none", 10));
  CHECK(!read_tail(home.path(), ".", 10));
}
