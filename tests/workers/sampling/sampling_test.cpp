#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "workers/sampling/cgroup_memory.h"
#include "workers/sampling/proc_text.h"
#include "workers/sampling/process_tree.h"
#include "workers/sampling/tree_gpu_memory.h"

namespace rv::workers {
namespace {

/// A driver with one list of processes.
class ListingNvml : public Nvml {
 public:
  std::optional<std::map<unsigned, std::uint64_t>> bytes = std::map<unsigned, std::uint64_t>{};
  std::set<unsigned> not_told;

  std::string driver_version() override { return "0"; }
  std::vector<GpuReadings> read_all() override { return {}; }
  std::vector<GpuReadings> read_slices(const std::string&) override { return {}; }
  GpuReadings read_load(const std::string&) override { return {}; }
  GpuReadings read_use(const std::string&) override { return {}; }
  std::optional<std::map<unsigned, std::uint64_t>> read_process_memory(const std::string&) override { return bytes; }
  std::optional<std::set<unsigned>> read_processes(const std::string&) override {
    auto all = not_told;
    for (const auto& [pid, own] : *bytes) all.insert(pid);
    return all;
  }
};

/// The PID of a process that is over.
pid_t nobody() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

}  // namespace

TEST_CASE("processor time: idle and waiting are not busy, guests count once") {
  const auto before = parse_cpu_table(
      "cpu  100 0 50 800 50 0 0 0 30 0\ncpu0 60 0 20 400 20 0 0 0\ncpu3 40 0 30 400 30 0 0 0\nintr 5\n");
  const auto now =
      parse_cpu_table("cpu  130 0 60 850 60 0 0 0 60 0\ncpu0 90 0 30 400 20 0 0 0\ncpu3 40 0 30 450 40 0 0 0\n");
  REQUIRE(before);
  REQUIRE(now);
  CHECK(now->cores.size() == 2);
  CHECK(busy_percent(before->all, now->all) == doctest::Approx(40));
  CHECK(busy_percent(before->cores.at(0), now->cores.at(0)) == doctest::Approx(100));
  CHECK(busy_percent(before->cores.at(3), now->cores.at(3)) == doctest::Approx(0));
  CHECK(!busy_percent(now->all, now->all));
  CHECK(!parse_cpu_table("intr 5\n"));
}

TEST_CASE("memory used is the total without what is available, and never the total") {
  const auto memory = parse_host_memory("MemTotal:       1000 kB\nMemFree:  100 kB\nMemAvailable:    400 kB\n");
  REQUIRE(memory);
  CHECK(memory->used() == 600 * 1024);
  CHECK(!parse_host_memory("MemTotal: 1000 kB\nMemFree: 100 kB\n"));
}

TEST_CASE("a key must be a whole word at the beginning of a line") {
  CHECK(number_after("oom 1\noom_kill 3\noom_group_kill 5\n", "oom_kill") == 3);
  CHECK(!number_after("under_oom_kill 3\n", "oom_kill"));
}

TEST_CASE("the memory cgroup of a process, version 1 and 2, in a container, and not to be seen") {
  const auto mounts1 =
      "30 1 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n31 1 0:27 / /sys/fs/cgroup/unified rw - cgroup2 "
      "cgroup2 rw\n";
  CHECK(find_memory_cgroup("4:memory:/slurm/job_5\n0::/\n", mounts1).folder == "/sys/fs/cgroup/memory/slurm/job_5");
  const auto mounts2 = "29 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  const auto place = find_memory_cgroup("0::/system.slice/job_5\n", mounts2);
  CHECK(place.version_2);
  CHECK(place.folder == "/sys/fs/cgroup/system.slice/job_5");
  CHECK(find_memory_cgroup("4:memory:/docker/x/a\n",
                           "30 1 0:26 /docker/x /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
            .folder == "/sys/fs/cgroup/memory/a");
  CHECK(find_memory_cgroup("4:memory:/docker/x\n",
                           "30 1 0:26 /docker/y /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
            .folder.empty());
  CHECK(!read_cgroup_memory({}).oom_kills);
}

TEST_CASE("a tree is what descends from a process, except the sampling process") {
  int ready[2] = {};
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    // Another program: a copy of this one has ThreadSanitizer's own thread.
    ::dup2(ready[1], STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", "sleep 600 >/dev/null & printf x; wait", nullptr);
    ::_exit(127);
  }
  char one = 0;
  REQUIRE(::read(ready[0], &one, 1) == 1);
  ProcessTree tree(::getpid(), 0);
  const auto use = tree.sample();
  CHECK(use.pids.size() == 2);
  CHECK(use.pids.contains(child));
  CHECK(use.threads == 2);
  CHECK(use.rss_bytes > 0);
  CHECK(ProcessTree(::getpid(), child).sample().pids.empty());
  for (const auto pid : use.pids) ::kill(pid, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(tree.sample().pids.empty());
}

TEST_CASE("a tree's GPU memory is unknown, not 0, if the driver does not list it") {
  constexpr std::uint64_t gib = 1ULL << 30U;
  const auto self = static_cast<unsigned>(::getpid());
  const auto other = static_cast<unsigned>(::getppid()), stranger = static_cast<unsigned>(nobody());
  const std::set<pid_t> tree{::getpid()};
  ListingNvml driver;
  TreeGpuMemory memory;
  const auto sample = [&](std::optional<std::uint64_t> used) { return memory.sample(driver, "0", used, tree); };
  CHECK(sample(gib).bytes == 0);
  // Those of another namespace, before the tree was ever seen.
  driver.bytes = {{stranger, gib}};
  CHECK(!sample(gib).bytes);
  CHECK(sample(gib).why.find("another PID namespace") != std::string::npos);
  driver.bytes = {{other, gib}};
  CHECK(sample(gib).bytes == 0);
  driver.bytes = {{self, 2 * gib}, {other, gib}, {stranger, gib}};
  CHECK(sample(4 * gib).bytes == 2 * gib);
  CHECK(sample(4 * gib).why.empty());
  driver.bytes->clear();
  driver.not_told = {self};
  CHECK(sample(4 * gib).why == "the driver does not report the memory of processes");
  // One of the tree that the driver still lists when it is over is not a stranger.
  driver.not_told.clear();
  driver.bytes = {{self, gib}};
  CHECK(memory.sample(driver, "0", gib, {}).bytes == 0);
  // A container whose driver lists no process.
  driver.bytes->clear();
  CHECK(sample(std::nullopt).bytes == 0);
  CHECK(sample(gib + (10ULL << 20U)).bytes == 0);
  CHECK(!sample(2 * gib).bytes);
  CHECK(memory.sample(driver, "1", 2 * gib, tree).bytes == 0);
  CHECK(!sample(2 * gib).why.empty());
  driver.bytes.reset();
  CHECK(sample(gib).why == "the driver does not list its processes");
}

}  // namespace rv::workers
