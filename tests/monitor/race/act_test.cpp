#include "monitor/race/act.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

TEST_CASE("nothing is submitted where the run folder can't be written, and the reason is returned") {
  const TemporaryFolder place;
  const RunFolder gone(place.path() + "/k3f9x2");
  const RunFacts facts;
  CHECK(act(gone, facts, {ResumeRace{}}).find("No such file or directory") != std::string::npos);
  CHECK(act(gone, facts, {}).empty());
}
