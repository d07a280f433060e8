#include "slurm/parse/key_value.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::slurm;

TEST_CASE("key=value lines keep blanks in values and believe the first of two") {
  const KeyValues values("NodeName=n1 OS=Linux 6.1 #1 SMP State=IDLE Gres=(null) Reason=bad fan State=DOWN [root@x]");
  CHECK(values["OS"] == "Linux 6.1 #1 SMP");
  CHECK(values["State"] == "IDLE");
  CHECK(values["Reason"] == "bad fan");
  CHECK(values["Nothing"].empty());
}
