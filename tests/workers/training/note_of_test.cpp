#include <doctest/doctest.h>

#include "workers/training/throughput_report.h"

using namespace rv;
using namespace rv::workers;

TEST_CASE("skipped steps are counted in a note; without any there is no note") {
  CHECK(note_of({{"loss_scale", 8192}, {"skipped_steps", 3}}, 20) ==
        "3 of 20 steps were skipped because their gradients overflowed");
  CHECK(note_of({{"skipped_steps", 0}, {"attention_slow_since", ""}}, 20).empty());
  CHECK(note_of(Json::object(), 20).empty());  // on the host
}

TEST_CASE("attention that is slower than possible is noted, with the reason") {
  CHECK(note_of({{"skipped_steps", 1}, {"attention_slow_since", "no libnvrtc.so.13"}}, 2) ==
        "1 of 2 steps were skipped because their gradients overflowed; attention is computed by products, which takes "
        "longer "
        "than cuDNN's one pass: no libnvrtc.so.13");
}
