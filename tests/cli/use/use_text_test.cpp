#include "cli/use/use_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

GpuUse gpu(int index, std::optional<double> busy, double peak) {
  GpuUse made;
  made.node = "n1";
  made.index = index;
  made.samples = 12;
  made.busy = made.most_busy = busy;
  made.peak_memory = peak;
  made.memory = 48 * 1024;
  return made;
}

AttemptUse attempt() {
  AttemptUse made;
  made.job.id = {4711};
  made.job.shown = "4711";
  made.job.end = made.job.start + 12min;
  made.job.limit = 2h;
  made.job.cpus = 8;
  made.memory = Mebibytes{64 * 1024};
  made.peak_memory = Mebibytes{3174};
  made.cpus = 0.94;
  made.gpus = {gpu(0, 34, 11469)};
  return made;
}

}  // namespace

TEST_CASE("one line shows used and allocated memory, CPUs, time and GPUs") {
  CHECK(use_text(attempt()) ==
        "3.1 of 64 GiB memory, 0.9 of 8 CPUs, 12m of 2h, GPU 34% busy with at most 11 of 48 GiB");
  auto wide = attempt();
  wide.job.nodes = 2;
  wide.gpus = {gpu(0, 80, 1024), gpu(1, 0, 512)};
  CHECK(use_text(wide) ==
        "3.1 of 64 GiB memory a node, 0.9 of 8 CPUs, 12m of 2h, GPUs 40% busy with at most 1.0 of 48 GiB, "
        "1 of 2 never busy");
}

TEST_CASE("an unknown value is shown as unknown, not 0") {
  auto dark = attempt();
  dark.peak_memory.reset();
  dark.cpus.reset();
  dark.job.limit.reset();
  dark.gpus.clear();
  CHECK(use_text(dark) == "memory unknown, CPU time unknown, 12m");
  const auto json = use_json({.attempts = {dark}, .trouble = ""}, std::nullopt);
  CHECK(json["attempts"][0]["peak_memory_per_node_mb"].is_null());
  CHECK(json["attempts"][0]["cpu_s"].is_null());
  CHECK(json["attempts"][0]["time_limit_s"].is_null());
  CHECK(json["enough"].is_null());
}

TEST_CASE("the wait with a smaller request is shown") {
  Enough enough;
  enough.memory = Mebibytes{4 * 1024};
  enough.time = 15min;
  CHECK(enough_text(enough) == "--mem 4G --time 15m would have been enough");
  enough.wait = EnoughWait{.asked = 2h, .enough = 290s};
  CHECK(enough_text(enough) ==
        "--mem 4G --time 15m would have been enough; the predicted wait was 5m with it, 2h as asked");
  enough.wait = EnoughWait{.asked = 1s, .enough = 1s};
  CHECK(enough_text(enough) == "--mem 4G --time 15m would have been enough; the predicted wait was no shorter with it");
  const auto json = use_json({.attempts = {attempt()}, .trouble = ""}, enough)["enough"];
  CHECK(json["options"] == std::vector<std::string>{"--mem", "4G", "--time", "15m"});
  CHECK(json["wait"]["asked_p50_s"] == 1);
}

TEST_CASE("attempts and elements have separate rows; only the first of very many are shown") {
  auto restarted = attempt();
  restarted.restart = 1;
  auto lines = use_lines({.attempts = {attempt(), restarted}, .trouble = ""}, std::nullopt);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].second.starts_with("job 4711: 3.1 of 64 GiB"));
  CHECK(lines[1].second.starts_with("job 4711, restart 1: "));
  lines = use_lines({.attempts = std::vector(100, attempt()), .trouble = ""}, std::nullopt);
  CHECK(lines.size() == 21);
  CHECK(lines.back().second == "80 more jobs: --json");
  lines = use_lines({.attempts = {}, .trouble = "accounting\nis away"}, std::nullopt);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].second.starts_with("unknown: accounting"));
}

TEST_CASE("one line about several is about the one with most memory") {
  auto larger = attempt();
  larger.peak_memory = Mebibytes{9000};
  auto unknown = attempt();
  unknown.peak_memory.reset();
  CHECK(largest({attempt(), larger, unknown}).peak_memory == Mebibytes{9000});
  CHECK_FALSE(largest({unknown}).peak_memory.has_value());
}

}  // namespace rv::cli
