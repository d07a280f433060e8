#include "cli/settings/config_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/settings/settings.h"

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

TEST_CASE("a settings file is changed only where a value differs, and never into one that can't be read") {
  char folder[] = "/tmp/rv-config-XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/new/config.yaml";
  CHECK(write_setting(path, "host", "login"));
  CHECK_FALSE(write_setting(path, "host", "login"));
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  os::write_file(path, "host:   login # mine\n");
  CHECK_FALSE(write_setting(path, "host", "login"));
  CHECK(os::read_file(path) == "host:   login # mine\n");
  // Another way to write the key: a second one would be refused by every later command.
  os::write_file(path, "\"host\": login\n");
  CHECK_THROWS_AS(write_setting(path, "host", "other"), Error);
  CHECK(os::read_file(path) == "\"host\": login\n");
  std::filesystem::remove_all(folder);
}

}  // namespace rv::cli
