#include "monitor/diagnosis/gpu_idleness.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

const rv::planner::TimePoint noon{1'790'000'000s};
const IdlePolicy policy{.below = 5, .after = 1h};

GpuSample at(std::chrono::seconds after_noon, std::optional<double> busiest, bool all_known = true) {
  return {.time = noon + after_noon, .busiest = busiest, .all_known = all_known};
}

/// A look a minute from `from` to `to`.
std::vector<GpuSample> watched(std::chrono::minutes from, std::chrono::minutes to, double busiest) {
  std::vector<GpuSample> looks;
  for (auto minute = from; minute <= to; ++minute) looks.push_back(at(minute, busiest));
  return looks;
}

std::string warning(const std::vector<GpuSample>& looks, std::optional<rv::planner::TimePoint> began = noon) {
  const auto idle = idleness(looks, policy, began);
  return idle ? idle_warning(*idle, policy).value_or("no warning") : "not idle";
}

}  // namespace

TEST_CASE("an allocation that was watched all the time has been idle since it was last at work") {
  auto looks = watched(0min, 10min, 80);
  const auto idle = watched(11min, 52min, 0);
  looks.insert(looks.end(), idle.begin(), idle.end());
  CHECK(warning(looks) == "idle for 42 min; the site ends idle allocations after 60 min");
  CHECK(idleness(looks, policy, noon)->certain == 41min);
  CHECK(idleness(looks, policy, noon)->possible == 42min);
  std::reverse(looks.begin(), looks.end());
  CHECK(idleness(looks, policy, noon)->possible == 42min);
}

TEST_CASE("idleness is reported from half of the site's time on") {
  CHECK(warning(watched(0min, 29min, 0)) == "no warning");
  CHECK(warning(watched(0min, 30min, 0)) == "idle for 30 min; the site ends idle allocations after 60 min");
  CHECK(warning(watched(0min, 70min, 0)) == "idle for 70 min; the site ends idle allocations after 60 min");
}

TEST_CASE("between readings far apart idleness is unknown") {
  CHECK(warning({at(0s, 0), at(40min, 0), at(41min, 0)}) ==
        "idle for at least 1 min, perhaps for 41 min; the site ends idle allocations after 60 min");
  // A first look long after the run began.
  CHECK(warning({at(50min, 0)}) ==
        "idle for at least 0 min, perhaps for 50 min; the site ends idle allocations after 60 min");
  CHECK(warning({at(50min, 0)}, std::nullopt) == "no warning");
  CHECK(warning({at(10min, 50), at(30min, 0)}) == "no warning");
}

TEST_CASE("work on one GPU counts as work, and unknown is not idle") {
  auto looks = watched(0min, 50min, 0);
  looks.push_back(at(51min, 5));
  CHECK(warning(looks) == "not idle");
  looks.back() = at(51min, 4.9);
  CHECK(warning(looks) == "idle for 51 min; the site ends idle allocations after 60 min");
  looks.back() = at(51min, 0, false);
  CHECK(warning(looks) == "not idle");
  looks.back() = at(51min, std::nullopt, false);
  CHECK(warning(looks) == "not idle");
  looks.back() = at(51min, 90, false);  // one at work suffices
  CHECK(warning(looks) == "not idle");
  // An unknown look in between breaks the certainty, not the possibility.
  looks = watched(0min, 50min, 0);
  looks[40].all_known = false;
  CHECK(idleness(looks, policy, noon)->certain == 9min);
  CHECK(idleness(looks, policy, noon)->possible == 50min);
  CHECK(warning({}) == "not idle");
}

TEST_CASE("stored readings are read back without torn lines and unknown keys; readings close together are not stored") {
  std::string text = sample_line(at(0s, 3.5)) + sample_line(at(60s, std::nullopt, false));
  text += "{\"time\":17900\n{}\nnull\n{\"time\":1790000090,\"busiest\":\"x\",\"all_known\":1}\n{\"time\":";
  CHECK(parse_samples(text) ==
        std::vector<GpuSample>{at(0s, 3.5), at(60s, std::nullopt, false), at(90s, std::nullopt, false)});
  const std::vector<GpuSample> kept{at(0s, 0)};
  CHECK_FALSE(worth_keeping(at(29s, 1), kept, policy));
  CHECK(worth_keeping(at(30s, 1), kept, policy));
  CHECK(worth_keeping(at(2s, 50), kept, policy));
  CHECK(worth_keeping(at(2s, 0), {}, policy));
}
