#include "cli/setup/quota.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

namespace rv::cli {

TEST_CASE("the figures of quota -s: over it, long names, without limits") {
  CHECK(parse_quota("Disk quotas for user ann (uid 1000): \n"
                    "     Filesystem   space   quota   limit   grace   files   quota   limit   grace\n"
                    "192.168.7.1:/home   249M    100G    105G            4953    500k   1000k        \n"
                    "      /dev/sda1   4100M*  4000M   4000M   6days   12345       0       0        \n"
                    "/dev/mapper/a-name-that-fills-the-line\n"
                    "                  1024K      0K   2048K               1       0       0        \n"
                    "      /dev/sdb1      4K      0K      0K               1       0       0        \n") ==
        std::vector<std::string>{"249M of 100G (105G at most) on 192.168.7.1:/home", "4100M of 4000M on /dev/sda1",
                                 "1024K of 2048K on /dev/mapper/a-name-that-fills-the-line"});
}

TEST_CASE("the figures of lfs quota -h") {
  CHECK(parse_quota("Disk quotas for usr 1000 (uid 1000):\n"
                    "     Filesystem    used   quota   limit   grace   files   quota   limit   grace\n"
                    "       /scratch  1.234T     10T     11T       -  123456 1000000 1100000       -\n"
                    "uid 1000 is using default file quota setting\n") ==
        std::vector<std::string>{"1.234T of 10T (11T at most) on /scratch"});
}

TEST_CASE("no quota and unrelated output give no figures") {
  CHECK(parse_quota("Disk quotas for user ann (uid 1000): none\n").empty());
  CHECK(parse_quota("usage: quota FILE\n 1 2 3 4\n").empty());
  CHECK(parse_quota("").empty());
}

TEST_CASE("the output of a site's command is shown unchanged; a failed command shows nothing") {
  CHECK(quota_figures("printf 'home  3G of 50G\\n\\n\\033[31mscratch  1T of 10T\\n'", {}).size() == 2);
  CHECK(quota_figures("printf 'home  3G of 50G\\n'", {}) == std::vector<std::string>{"home  3G of 50G"});
  CHECK(quota_figures("echo wrong; exit 3", {}).empty());
  CHECK(quota_figures("seq 100", {}).size() == 8);
}

TEST_CASE("nearly full quotas are reported each time, and others are queried once an hour") {
  const TemporaryFolder folder;
  const std::string asked = folder.path() + "/asked";
  const std::string count = "echo >>" + folder.path() + "/count; ";
  const auto times = [&] { return os::read_file(folder.path() + "/count").value_or("").size(); };
  const std::string full = count + "printf 'home  47G of 50G\\nscratch  1T of 10T\\n'";
  for (int i = 0; i < 2; ++i) CHECK(nearly_full(full, {}, asked) == std::vector<std::string>{"home  47G of 50G"});
  CHECK(times() == 2);
  for (int i = 0; i < 3; ++i) CHECK(nearly_full(count + "echo 'home  3G of 50G'", {}, asked).empty());
  CHECK(times() == 3);
}

}  // namespace rv::cli
