#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "workers/stress/fit.h"
#include "workers/stress/footprint.h"
#include "workers/stress/given_gpus.h"
#include "workers/stress/launch_check.h"
#include "workers/stress/launcher.h"
#include "workers/stress/load.h"
#include "workers/stress/load_size.h"

namespace rv::workers {
namespace {

/// A simulated driver.
class ToldNvml : public Nvml {
 public:
  std::vector<GpuReadings> gpus, slices;
  std::uint64_t used = 1000;
  std::optional<std::set<unsigned>> pids = std::set<unsigned>{};

  std::string driver_version() override { return "0"; }
  std::vector<GpuReadings> read_all() override { return gpus; }
  std::vector<GpuReadings> read_slices(const std::string&) override { return slices; }
  GpuReadings read_load(const std::string&) override { return {}; }
  GpuReadings read_use(const std::string&) override {
    GpuReadings readings;
    readings.numbers["memory_used_bytes"] = used;
    return readings;
  }
  std::optional<std::map<unsigned, std::uint64_t>> read_process_memory(const std::string&) override {
    return std::nullopt;
  }
  std::optional<std::set<unsigned>> read_processes(const std::string&) override { return pids; }
};

GpuReadings gpu(const std::string& uuid, bool mig = false) {
  GpuReadings readings;
  readings.uuid = uuid;
  readings.numbers = {{"mig", mig ? 1 : 0}, {"memory_total_bytes", 80}, {"memory_used_bytes", 5}};
  return readings;
}

std::string names(const std::vector<GivenGpu>& given) {
  std::string out;
  for (const auto& one : given) out += one.device.uuid + "=" + one.entry + " ";
  return out;
}

const Measurement& named(const std::vector<Measurement>& all, const std::string& name) {
  for (const auto& one : all) {
    if (one.name == name) return one;
  }
  throw std::out_of_range(name);
}

TEST_CASE("a matrix has as many numbers as its memory holds") {
  CHECK(matrix_side(1) == 512);
  CHECK(matrix_side(256) == 8192);
  CHECK(matrix_side(8192) == 46340);
  CHECK(load_bytes(512) == 3145728);
}

TEST_CASE("the load computes what it should, and a wrong element is seen") {
  const std::size_t side = 70;  // no multiple of a block
  const auto load = cpu_load(side);
  REQUIRE(load->operate([] { return true; }));
  CHECK(wrong_result(*load, side, 0) == "");
  CHECK(wrong_result(*load, side, 0.01F).starts_with("wrong result: element ("));
  CHECK(wrong_result(*load, side, std::nanf("")) != "");
  CHECK_FALSE(load->operate([] { return false; }));
}

TEST_CASE("workers that can't fit are found before the start, with bytes") {
  const std::uint64_t gib = 1U << 30U;
  CHECK_FALSE(too_much(4, 256, {80 * gib, 80 * gib}, true));
  const auto what = too_much(3, 256, {2 * gib - 1, 2 * gib}, true);
  REQUIRE(what);
  CHECK(what->gpu == 0);  // which has two of the three
  CHECK(what->workers == 2);
  CHECK(what->needed_bytes == 2 * (load_bytes(8192) + least_context_bytes));
  CHECK(to_text(*what) == "2 workers on GPU 0 need 2147483648 bytes, but 2147483647 are free");
}

TEST_CASE("unknown free memory refuses no configuration") {
  CHECK_FALSE(too_much(4, 1U << 20U, {std::nullopt}, true));
}

TEST_CASE("the GPUs given are those of the list, slices by their UUIDs") {
  ToldNvml nvml;
  nvml.gpus = {gpu("GPU-a"), gpu("GPU-b", true), gpu("GPU-c")};
  nvml.slices = {gpu("MIG-1"), gpu("MIG-2")};
  CHECK(names(given_gpus(nvml, std::nullopt)) == "GPU-a=0 MIG-1=MIG-1 MIG-2=MIG-2 GPU-c=2 ");
  CHECK(names(given_gpus(nvml, "2,0")) == "GPU-c=2 GPU-a=0 ");
  CHECK(names(given_gpus(nvml, "MIG-2,GPU-c")) == "MIG-2=MIG-2 GPU-c=GPU-c ");
  CHECK(names(given_gpus(nvml, "0,7,2")) == "GPU-a=0 ");
  CHECK(names(given_gpus(nvml, "1,0")) == "MIG-1=MIG-1 GPU-a=0 ");
  CHECK(given_gpus(nvml, "").empty());
  CHECK(given_gpus(nvml, "0").front().free_bytes == 75);
}

TEST_CASE("configurations of a launcher") {
  const auto of = [](std::size_t gpus, const std::vector<std::string>& subsets) {
    std::string out;
    for (const auto& one : launch_configurations(gpus, subsets)) out += one.name + " ";
    return out;
  };
  CHECK(of(0, {}) == "cpu ");
  CHECK(of(1, {}) == "single cpu ");
  CHECK(of(2, {}) == "single all cpu ");
  CHECK(of(4, {}) == "single all cpu subset-0,2 ");
  CHECK(of(4, {"1", "0,3", "0"}) == "single all cpu subset-1 subset-0,3 ");
  CHECK_THROWS_AS(of(2, {"0,2"}), std::invalid_argument);
  CHECK_THROWS_AS(of(2, {"a"}), std::invalid_argument);
  CHECK_THROWS_AS(of(2, {""}), std::invalid_argument);
}

TEST_CASE("the program of a shell line is checked only if the line is a single command") {
  const auto program = [](const std::vector<std::string>& argv) { return launcher_trouble(argv).exit_code; };
  const auto line = [&](const std::string& text) { return program({"bash", "-c", text}); };
  CHECK(program({"/bin/sh", "x"}) == 0);
  CHECK(program({"/etc/passwd"}) == 126);
  CHECK(program({"/etc"}) == 126);
  CHECK(program({"no-such-program-here"}) == 127);
  CHECK(line(" /etc/passwd --all") == 126);
  CHECK(line("$HOME/x") == 0);
  CHECK(line("no-such-program-here --all") == 127);
  CHECK(line("  no-such-program-here \"$HOME\" 'a b'") == 127);
  CHECK(line("sh -c true") == 0);
  // The shell's own, and what may come to something else.
  CHECK(line("cd /tmp && true") == 0);
  CHECK(line("ulimit -n 64") == 0);
  CHECK(line("type sh") == 0);
  CHECK(line("time true") == 0);
  CHECK(line("A=1 no-such-program-here") == 0);
  CHECK(line("no-such-program-here || true") == 0);
  CHECK(line("$no_such_program here") == 0);
}

TEST_CASE("a function that was exported is a program of a shell line") {
  ::setenv("BASH_FUNC_no_such_program%%", "() { true; }", 1);
  CHECK(launcher_trouble({"bash", "-c", "no_such_program --all"}).exit_code == 0);
  ::unsetenv("BASH_FUNC_no_such_program%%");
  CHECK(launcher_trouble({"bash", "-c", "no_such_program --all"}).exit_code == 127);
}

TEST_CASE("memory and contexts that stay are a finding; another program's are not") {
  ToldNvml nvml;
  nvml.gpus = {gpu("GPU-a")};
  const auto given = given_gpus(nvml, std::nullopt);
  const auto before = look_at_footprint(&nvml, given);
  Between between;
  between.settle = std::chrono::milliseconds(1);
  between.pids = {17};
  CHECK(named(judge_footprint(before, between, &nvml, given), "gpu memory").verdict == Verdict::pass);
  CHECK(named(judge_footprint(before, between, &nvml, given), "contexts").verdict == Verdict::pass);
  nvml.used += std::uint64_t{64} << 20U;
  CHECK(named(judge_footprint(before, between, &nvml, given), "gpu memory").verdict == Verdict::fail);
  nvml.pids = std::set<unsigned>{99};
  CHECK(named(judge_footprint(before, between, &nvml, given), "gpu memory").verdict == Verdict::skip);
  CHECK(named(judge_footprint(before, between, &nvml, given), "contexts").verdict == Verdict::pass);
  nvml.pids = std::set<unsigned>{17};
  const auto there = judge_footprint(before, between, &nvml, given);
  CHECK(named(there, "contexts").verdict == Verdict::fail);
  CHECK(named(there, "contexts").reason == "contexts of ended processes still exist: 17");
  nvml.pids = std::nullopt;
  CHECK(named(judge_footprint(before, between, &nvml, given), "contexts").verdict == Verdict::skip);
}

TEST_CASE("processes and descriptors that stay are findings") {
  Footprint before = look_at_footprint(nullptr, {});
  Between between;
  CHECK(named(judge_footprint(before, between, nullptr, {}), "descriptors").verdict == Verdict::pass);
  before.descriptors -= 1;
  CHECK(named(judge_footprint(before, between, nullptr, {}), "descriptors").verdict == Verdict::fail);
  between.left_processes = {"of worker 3: 17 (sleep 60)"};
  const auto left = judge_footprint(before, between, nullptr, {});
  CHECK(named(left, "processes").reason == "left behind, and ended: of worker 3: 17 (sleep 60)");
}

TEST_CASE("System V's shared memory is a trace of what has ended, not of a program that lives") {
  int id[2];
  REQUIRE(::pipe(id) == 0);
  const auto child = ::fork();
  if (child == 0) {
    const int made = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    ::_exit(::write(id[1], &made, sizeof made) == sizeof made ? 0 : 1);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  int theirs = -1;
  REQUIRE(::read(id[0], &theirs, sizeof theirs) == sizeof theirs);
  const int mine = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  const auto segments = look_at_footprint(nullptr, {}).segments;
  for (const int made : {theirs, mine}) ::shmctl(made, IPC_RMID, nullptr);
  for (const int end : id) ::close(end);
  REQUIRE(theirs >= 0);
  CHECK(segments.contains(fmt::format("System V {}", theirs)));
  CHECK(!segments.contains(fmt::format("System V {}", mine)));
}

}  // namespace
}  // namespace rv::workers
