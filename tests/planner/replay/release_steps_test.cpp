#include "planner/replay/model/release_steps.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::planner;

TEST_CASE("jobs that end within a window go together, and the windows double") {
  ReleaseSteps steps;
  // The first half minute behind 100 is 120: windows up to 150, 180, 240, 360.
  steps.assign({250, 100, 230, 140, 200}, {}, 0);
  CHECK(steps.try_after(100) == 140);
  CHECK(steps.try_after(140) == 140);
  CHECK(steps.try_after(200) == 230);
  CHECK(steps.try_after(231) == 250);
  CHECK(steps.try_after(300) == 300);
}

TEST_CASE("windows begin at a half minute of the clock, wherever the snapshot was taken") {
  ReleaseSteps steps;
  steps.assign({100, 154}, {}, 0);
  CHECK(steps.try_after(100) == 100);
  steps.assign({100, 154}, {}, 25);
  CHECK(steps.try_after(100) == 154);
}

TEST_CASE("an end elsewhere within the window takes the next job along") {
  ReleaseSteps steps;
  steps.assign({100, 140, 200, 230}, {145}, 0);
  CHECK(steps.try_after(100) == 200);
  CHECK(steps.try_after(201) == 230);
  steps.assign({100, 140, 200, 230}, {90, 120, 400}, 0);
  CHECK(steps.try_after(100) == 140);
}

TEST_CASE("without running jobs every moment is tried") {
  ReleaseSteps steps;
  steps.assign({100}, {}, 0);
  steps.assign({}, {50}, 0);
  CHECK(steps.try_after(70) == 70);
  steps.assign({never}, {}, 0);
  CHECK(steps.try_after(70) == 70);
}
