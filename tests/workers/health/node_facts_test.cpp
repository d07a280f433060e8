#include "workers/health/node_facts.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

using namespace rv::workers;
namespace fs = std::filesystem;

TEST_CASE("facts of a node are short texts, and what can't be read is absent") {
  std::string path = (fs::temp_directory_path() / "rv-facts-XXXXXX").string();
  REQUIRE(mkdtemp(path.data()) != nullptr);
  const fs::path root = path;
  CHECK(node_facts(root).empty());
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  };
  write("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
  write("etc/os-release", "NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\n");
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: INTEL(R) XEON(R) 8558\n\nprocessor\t: 1\nmodel name\t: INTEL\n");
  write("proc/meminfo", "MemTotal:       1056123456 kB\nMemFree: 1 kB\n");
  write("sys/class/dmi/id/bios_version", "2.4\n");
  write("sys/class/dmi/id/bios_date", "11/20/2025\n");
  fs::create_directories(root / "sys/devices/system/node/node0");
  fs::create_directories(root / "sys/devices/system/node/node1");
  fs::create_directories(root / "sys/devices/system/node/power");
  CHECK(node_facts(root) == std::map<std::string, std::string>{{"kernel", "6.8.0-45-generic"},
                                                               {"os", "Ubuntu 24.04.1 LTS"},
                                                               {"bios", "2.4 11/20/2025"},
                                                               {"cpu", "INTEL(R) XEON(R) 8558"},
                                                               {"cpus", "2"},
                                                               {"numa_nodes", "2"},
                                                               {"memory", "1007 GiB"}});
  fs::remove_all(root);
}
