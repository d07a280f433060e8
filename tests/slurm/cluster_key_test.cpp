#include "slurm/cluster_key.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "slurm/query_cache.h"

using rv::slurm::cluster_key;

namespace {

namespace fs = std::filesystem;

/// A machine's /etc and /run, and no Slurm in PATH.
struct Machine {
  Machine() {
    REQUIRE(::mkdtemp(root) != nullptr);
    for (const auto* name : {"SLURM_CONF", "SLURM_CONF_SERVER"}) ::unsetenv(name);
    ::setenv("PATH", "/no/such/folder", 1);
  }
  ~Machine() {
    fs::remove_all(root);
    for (const auto* name : {"SLURM_CONF", "SLURM_CONF_SERVER"}) ::unsetenv(name);
    ::setenv("PATH", before.c_str(), 1);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::string write(const std::string& path, const std::string& text) const {
    const fs::path file = root + path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }
  std::string key() const { return cluster_key(root); }

  std::string before = std::getenv("PATH");
  char root[32] = "/tmp/rv-machine-XXXXXX";
};

constexpr auto afton = "ClusterName=afton\nSlurmctldHost=ctl1(10.0.0.1)\nSlurmctldHost=ctl2\n";
constexpr auto rivanna = "ClusterName=rivanna\nSlurmctldHost=ctl1(10.0.0.1)\n";

}  // namespace

TEST_CASE("two clusters differ, though both have slurm.conf in the same place") {
  const Machine machine;
  machine.write("/etc/slurm/slurm.conf", afton);
  const auto here = machine.key();
  CHECK(here.size() == 16);
  machine.write("/etc/slurm/slurm.conf", rivanna);
  CHECK(machine.key() != here);
  machine.write("/etc/slurm/slurm.conf", "ClusterName=afton\nSlurmctldHost=other\n");
  CHECK(machine.key() != here);
}

TEST_CASE("a cluster has the same key on every login node, for any form and place of its file") {
  const Machine machine;
  machine.write("/etc/slurm/slurm.conf", afton);
  const auto here = machine.key();
  machine.write("/etc/slurm/slurm.conf",
                "# ClusterName=old\n\nclustername = Afton  # ours\n\tSLURMCTLDHOST=ctl1(10.0.0.1)\n"
                "SlurmctldHost=ctl2\nNodeName=n[1-9] CPUs=4\nSlurmctldDebug=info");
  CHECK(machine.key() == here);
  fs::remove(machine.root + std::string("/etc/slurm/slurm.conf"));
  CHECK(machine.key() != here);
  machine.write("/run/slurm/conf/slurm.conf", afton);  // configless
  CHECK(machine.key() == here);
  ::setenv("SLURM_CONF", machine.write("/home/mine.conf", afton).c_str(), 1);
  CHECK(machine.key() == here);
  ::setenv("SLURM_CONF", machine.write("/home/split.conf", "Include names.conf\nNodeName=n1\n").c_str(), 1);
  CHECK(machine.key() != here);
  machine.write("/home/names.conf", afton);
  CHECK(machine.key() == here);
  machine.write("/home/names.conf", "Include names.conf\n");  // for ever
  CHECK(machine.key() != here);
}

TEST_CASE("SLURM_CONF goes before the files, and Slurm's own folder before those of the system") {
  const Machine machine;
  machine.write("/etc/slurm/slurm.conf", afton);
  const auto here = machine.key();
  const auto command = machine.write("/opt/slurm/bin/scontrol", "");
  REQUIRE(::chmod(command.c_str(), 0755) == 0);
  ::setenv("PATH", (machine.root + std::string("/none:") + machine.root + "/opt/slurm/bin").c_str(), 1);
  CHECK(machine.key() == here);
  machine.write("/opt/slurm/etc/slurm.conf", rivanna);
  const auto there = machine.key();
  CHECK(there != here);
  ::setenv("SLURM_CONF", (machine.root + std::string("/etc/slurm/slurm.conf")).c_str(), 1);
  CHECK(machine.key() == here);
  ::setenv("SLURM_CONF", "/no/such.conf", 1);
  const auto missing = machine.key();
  CHECK(missing != here);
  ::setenv("SLURM_CONF", "/no/other.conf", 1);
  CHECK(machine.key() != missing);
}

TEST_CASE("without a file, clusters differ by the source of their configuration") {
  const Machine machine;
  const auto bare = machine.key();
  machine.write("/etc/resolv.conf", "search a.edu\n");
  const auto domain = machine.key();
  CHECK(domain != bare);
  ::setenv("SLURM_CONF_SERVER", "ctl1:6817", 1);
  const auto server = machine.key();
  CHECK(server != domain);
  ::setenv("SLURM_CONF_SERVER", "ctl2:6817", 1);
  CHECK(machine.key() != server);
}

TEST_CASE("stored data are separate for each cluster") {
  const Machine machine;
  ::setenv("SLURM_CONF", machine.write("/slurm.conf", afton).c_str(), 1);
  const std::string folder = machine.root + std::string("/cache");
  const rv::slurm::QueryCache kept(folder, "limits", "ann", std::chrono::minutes(10));
  kept.write("text");
  CHECK(rv::slurm::cache_file(folder, "limits", "ann") == folder + "/limits-ann-" + cluster_key());
  machine.write("/slurm.conf", rivanna);
  CHECK(!rv::slurm::QueryCache(folder, "limits", "ann", std::chrono::minutes(10)).read());
  machine.write("/slurm.conf", afton);
  CHECK(rv::slurm::QueryCache(folder, "limits", "ann", std::chrono::minutes(10)).read() == "text");
}
