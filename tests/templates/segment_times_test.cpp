#include "templates/segment_times.h"

#include <doctest/doctest.h>

using rv::templates::Chain;
using rv::templates::segment_times;
using std::chrono::hours;
using std::chrono::minutes;

TEST_CASE("Slurm may shorten a segment to what was asked, where the segment is longer") {
  Chain chain;
  CHECK(segment_times(chain, hours(2)).shortest == minutes(0));
  CHECK(segment_times(chain, hours(2)).least == hours(2));
  chain.shortest = minutes(30);
  CHECK(segment_times(chain, hours(2)).shortest == minutes(30));
  CHECK(segment_times(chain, hours(2)).least == minutes(30));
  CHECK(segment_times(chain, minutes(20)).shortest == minutes(0));
  CHECK(segment_times(chain, minutes(20)).least == minutes(20));
}

TEST_CASE("the warning is what was asked, else a sixth of what the segment surely gets, ten minutes at most") {
  Chain chain;
  CHECK(segment_times(chain, hours(10)).warning == minutes(10));
  CHECK(segment_times(chain, minutes(30)).warning == minutes(5));
  chain.shortest = minutes(30);
  CHECK(segment_times(chain, hours(2)).warning == minutes(5));
  chain.warning = minutes(7);
  CHECK(segment_times(chain, hours(2)).warning == minutes(7));
}
