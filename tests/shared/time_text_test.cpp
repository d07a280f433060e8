#include "shared/time_text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>

using namespace rv;
using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST_CASE("a time is written in UTC, whatever the time zone") {
  ::setenv("TZ", "America/New_York", 1);
  ::tzset();
  const sys_seconds time(seconds(1'795'780'800));
  CHECK(utc_time(time) == "2026-11-27 12:00:00 UTC");
  CHECK(utc_date(time) == "2026-11-27");
  CHECK(utc_stamp(time) == "20261127-120000");
  CHECK(utc_time(sys_seconds(seconds(0))) == "1970-01-01 00:00:00 UTC");
  ::unsetenv("TZ");
  ::tzset();
}

TEST_CASE("local time is that of the time zone") {
  ::setenv("TZ", "EST5", 1);  // needs no data of time zones
  ::tzset();
  const sys_seconds time(seconds(1'795'780'800));
  CHECK(local_time(time) == "2026-11-27 07:00:00");
  CHECK(local_time(time, 'T') == "2026-11-27T07:00:00");
  ::unsetenv("TZ");
  ::tzset();
}
