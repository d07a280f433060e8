#include <doctest/doctest.h>

#include "workers/training/throughput_report.h"

using namespace rv;
using namespace rv::workers;

TEST_CASE("steps that were skipped are counted in words, and none are no words") {
  CHECK(skipped_note({{"loss_scale", 8192}, {"skipped_steps", 3}}, 20) ==
        "3 of 20 steps were skipped, since their gradients overflowed");
  CHECK(skipped_note({{"skipped_steps", 0}}, 20).empty());
  CHECK(skipped_note(Json::object(), 20).empty());  // on the host
}
