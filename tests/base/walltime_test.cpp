#include "base/walltime.h"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using rv::format_duration;
using rv::format_walltime;
using rv::parse_walltime;
using rv::rounded_duration;

TEST_CASE("walltime with units") {
  CHECK(parse_walltime("30m") == 30min);
  CHECK(parse_walltime("2h") == 2h);
  CHECK(parse_walltime("3d") == 72h);
  CHECK(parse_walltime("90s") == 90s);
  CHECK(parse_walltime("1h30m") == 90min);
  CHECK(parse_walltime("1D2H") == 26h);
}

TEST_CASE("walltime as Slurm writes it") {
  CHECK(parse_walltime("45") == 45min);
  CHECK(parse_walltime("10:30") == 10min + 30s);
  CHECK(parse_walltime("2:59:00") == 2h + 59min);
  CHECK(parse_walltime("120:00:00") == 120h);
  CHECK(parse_walltime("1-2") == 26h);
  CHECK(parse_walltime("1-2:03") == 26h + 3min);
  CHECK(parse_walltime("1-02:03:04") == 26h + 3min + 4s);
}

TEST_CASE("text that is not a walltime is rejected") {
  for (const char* text : {"",         "0",       "0m",   "h",   "m30", "30m1h",     "1m1m",    "1h30",
                           "10:60",    "1:60:00", "1-24", "1-",  "-1",  "1-1:1:1:1", "1:2:3:4", "1:",
                           ":1",       "1.5h",    " 1h",  "1h ", "2w",  "1-2-3",     "366000d", "99999999999999999999",
                           "UNLIMITED"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_walltime(text).has_value());
  }
}

TEST_CASE("walltime for Slurm") {
  CHECK(format_walltime(30min) == "00:30:00");
  CHECK(format_walltime(72h) == "3-00:00:00");
  CHECK(format_walltime(25h + 1s) == "1-01:00:01");
}

TEST_CASE("formatted walltimes can be parsed") {
  for (const auto span : {1s, 59s, 60s, 3599s, 86399s, 86400s, 1234567s})
    CHECK(parse_walltime(format_walltime(span)) == span);
}

TEST_CASE("durations for people keep two units") {
  CHECK(format_duration(45s) == "45s");
  CHECK(format_duration(30min) == "30m");
  CHECK(format_duration(2h + 50min) == "2h 50m");
  CHECK(format_duration(2h + 50min + 20s) == "2h 50m");
  CHECK(format_duration(72h) == "3d");
  CHECK(format_duration(49h) == "2d 1h");
  CHECK(format_duration(0s) == "0s");
  CHECK(format_duration(-5s) == "0s");
}

TEST_CASE("a predicted duration is rounded to the nearest minute from five minutes on") {
  CHECK(rounded_duration(59s) == "59s");
  CHECK(rounded_duration(4min + 59s) == "4m 59s");
  CHECK(rounded_duration(19min + 29s) == "19m");
  CHECK(rounded_duration(19min + 40s) == "20m");
  CHECK(rounded_duration(59min + 30s) == "1h");
}
