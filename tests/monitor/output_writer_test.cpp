#include "monitor/follow/output_writer.h"

#include <doctest/doctest.h>

namespace rv::monitor {

TEST_CASE("of a line that overwrites itself the last state counts, and a carriage return at its end stays") {
  CHECK(last_state("epoch 1") == "epoch 1");
  CHECK(last_state(" 10%\r 50%\r100%") == "100%");
  CHECK(last_state(" 10%\r100%\r") == "100%\r");
  CHECK(last_state("from Windows\r") == "from Windows\r");
  CHECK(last_state("\r\r") == "\r\r");
  CHECK(last_state("").empty());
}

}  // namespace rv::monitor
