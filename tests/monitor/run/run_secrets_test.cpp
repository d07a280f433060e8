#include "monitor/run/run_secrets.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "monitor/run/run_facts.h"
#include "tests/base/temporary_folder.h"

namespace rv::monitor {

TEST_CASE("a run's variables: names stay known, values are deleted at the run's end") {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path() + "/runs");
  CHECK(environment_names(folder).empty());
  write_environment(folder, names_line({"A", "B"}) + "export A=1\nexport B='x)\n'\n");
  CHECK(environment_names(folder) == std::vector<std::string>{"A", "B"});
  os::make_folder(folder.file("ssh/k1ll3d"));
  os::write_file(folder.file("ssh/k1ll3d/config"), "SetEnv \"A=1\"\n");
  REQUIRE(write_outcome(folder, {}, {.state = RunState::done, .exit_code = 0, .detail = "", .time = {}}));
  CHECK_FALSE(os::read_file(folder.file("environment")).has_value());
  CHECK(environment_names(folder).empty());
  CHECK_FALSE(os::read_file(folder.file("ssh/k1ll3d/config")).has_value());
}

}  // namespace rv::monitor
