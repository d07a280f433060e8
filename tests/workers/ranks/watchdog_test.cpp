#include "workers/ranks/watchdog.h"

#include <doctest/doctest.h>

#include <future>

using rv::workers::Watchdog;
using std::chrono::milliseconds;

TEST_CASE("a watchdog bites when nothing happens any more, and only then") {
  std::promise<void> bitten;
  auto wait = bitten.get_future();
  Watchdog watchdog(milliseconds(300), [&] { bitten.set_value(); });
  watchdog.progress();
  CHECK(wait.wait_for(milliseconds(20)) == std::future_status::timeout);
  CHECK(wait.wait_for(std::chrono::seconds(30)) == std::future_status::ready);
}

TEST_CASE("a watchdog that is no longer needed does not bite") {
  bool bitten = false;
  {
    Watchdog watchdog(std::chrono::hours(1), [&] { bitten = true; });
  }
  CHECK_FALSE(bitten);
}
