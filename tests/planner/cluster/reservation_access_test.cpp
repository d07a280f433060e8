#include "planner/cluster/reservation_access.h"

#include <doctest/doctest.h>

using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

const TimePoint noon{std::chrono::seconds(1'795'000'000)};

Reservation magnetic() {
  Reservation one;
  one.start = noon - 1h;
  one.end = noon + 4h;
  one.flags = {"MAGNETIC", "SPEC_NODES"};
  one.users = {"ann"};
  return one;
}

}  // namespace

TEST_CASE("a reservation takes the jobs of its users, accounts, QOS and partitions") {
  Reservation one = magnetic();
  CHECK(admits(one, {"ann", "lab", "normal", "gpu"}));
  CHECK_FALSE(admits(one, {"bob", "lab", "normal", "gpu"}));
  one.qos = {"high", "class"};
  CHECK_FALSE(admits(one, {"ann", "lab", "normal", "gpu"}));
  CHECK(admits(one, {"ann", "lab", "class", "gpu"}));
  one.partitions = {"debug"};
  CHECK_FALSE(admits(one, {"ann", "lab", "class", "gpu"}));
  CHECK(admits(one, {"ann", "lab", "class", "debug"}));
}

TEST_CASE("names with a minus are refused, all others taken") {
  Reservation one = magnetic();
  one.users = {"-bob", "-eve"};
  CHECK(admits(one, {"ann", "lab", "normal", "gpu"}));
  CHECK_FALSE(admits(one, {"eve", "lab", "normal", "gpu"}));
}

TEST_CASE("a magnetic reservation is_magnetic_for jobs that end before it does") {
  const JobRights job{"ann", "lab", "normal", "gpu"};
  Reservation one = magnetic();
  CHECK(is_magnetic_for(one, job, noon, 4h));
  CHECK_FALSE(is_magnetic_for(one, job, noon, 5h));
  CHECK_FALSE(is_magnetic_for(one, job, noon - 2h, 1h));
  one.flags = {"SPEC_NODES"};
  CHECK_FALSE(is_magnetic_for(one, job, noon, 1h));
}
