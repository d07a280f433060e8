#include "slurm/release_faults.h"

#include <doctest/doctest.h>

using namespace rv::slurm;

TEST_CASE("25.05.0 to 25.05.2 reset --time to --time-min") {
  for (const char* release : {"25.05.0", "25.05.0-0rc1", "25.05.1", "25.05.2"}) {
    CAPTURE(release);
    CHECK(fault_of_time_min(release).find("25.05.3") != std::string::npos);
  }
  for (const char* release : {"22.05.8", "24.11.7", "25.05.3", "25.05.8", "25.05.20", "25.11.0", "26.05.3", ""}) {
    CAPTURE(release);
    CHECK(fault_of_time_min(release).empty());
  }
}

TEST_CASE("minutes of running jobs per user and account of a QOS count from 24.05 on") {
  for (const char* release : {"20.11.9", "22.05.8", "23.11.11"}) CHECK_FALSE(enforces_run_minutes_of_qos(release));
  for (const char* release : {"24.05.0-0rc1", "24.05.8", "25.11.7", "26.05.3", ""}) {
    CHECK(enforces_run_minutes_of_qos(release));
  }
}
