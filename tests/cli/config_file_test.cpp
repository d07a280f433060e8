#include "cli/config_file.h"

#include <doctest/doctest.h>

#include "cli/settings.h"
#include "planner/error.h"

namespace rv::cli {

TEST_CASE("a setting takes its old place, and the rest stays as it was") {
  CHECK(with_setting("", "host", "login") == "host: login\n");
  CHECK(with_setting("# mine\nhost: old # there\nfanout: 2\n", "host", "ann@login.edu") ==
        "# mine\nhost: ann@login.edu\nfanout: 2\n");
  CHECK(with_setting("fanout: 2", "account", "lab") == "fanout: 2\naccount: lab\n");
  CHECK(with_setting("hostess: x\n", "host", "a") == "hostess: x\nhost: a\n");
  CHECK_THROWS_AS(with_setting("setup:\n  - module load cuda\n", "setup", "x"), Error);
}

TEST_CASE("what is written is read back, whatever YAML would make of the word") {
  for (const std::string value : {"lab", "007", "yes", "a: b", "#x", "it's", "\"", "1e3", "~", "ü"}) {
    Settings settings;
    apply_settings(settings, with_setting("fanout: 3\n", "account", value), "config.yaml");
    CHECK(settings.account == value);
    CHECK(settings.fanout == 3);
  }
}

}  // namespace rv::cli
