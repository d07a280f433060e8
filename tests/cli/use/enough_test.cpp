#include "cli/use/enough.h"

#include <doctest/doctest.h>

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

AttemptUse attempt(std::chrono::seconds took, std::optional<std::int64_t> peak_mib,
                   std::int64_t given_mib = 64 * 1024) {
  AttemptUse made;
  made.job.state = "COMPLETED";
  made.job.end = made.job.start + took;
  made.job.limit = 2h;
  made.memory = Mebibytes{given_mib};
  if (peak_mib) made.peak_memory = Mebibytes{*peak_mib};
  return made;
}

const templates::JobSpec command;

}  // namespace

TEST_CASE("never less than the peak and a fifth") {
  for (const std::int64_t peak : {1, 853, 854, 5 * 1024, 5 * 1024 + 1, 30'000}) {
    const auto enough = enough_for({attempt(1h, peak)}, command);
    REQUIRE(enough);
    REQUIRE(enough->memory);
    CHECK(enough->memory->count * 5 >= peak * 6);
    CHECK(enough->memory->count * 5 < peak * 6 + 5 * 1024);
  }
  for (const auto took : {1s, 250s, 251s, 3000s, 3001s}) {
    const auto enough = enough_for({attempt(took, 64 * 1024)}, command);
    REQUIRE(enough);
    REQUIRE(enough->time);
    CHECK(*enough->time * 5 >= took * 6);
    CHECK(*enough->time % 5min == 0s);
  }
}

TEST_CASE("the options are rv's") {
  const auto enough = enough_for({attempt(10min, 3000)}, command);
  REQUIRE(enough);
  CHECK(enough->options() == std::vector<std::string>{"--mem", "4G", "--time", "15m"});
}

TEST_CASE("a value that is hardly smaller is not suggested") {
  CHECK_FALSE(enough_for({attempt(100min, 50 * 1024)}, command).has_value());
  const auto memory = enough_for({attempt(100min, 30 * 1024)}, command);
  REQUIRE(memory);
  CHECK(memory->memory == Mebibytes{36 * 1024});
  CHECK_FALSE(memory->time.has_value());
}

TEST_CASE("the largest of several counts, and one without figures makes it unknown") {
  const auto enough = enough_for({attempt(10min, 1024), attempt(20min, 8 * 1024), attempt(10min, 2048)}, command);
  REQUIRE(enough);
  CHECK(enough->memory == Mebibytes{10 * 1024});
  CHECK(enough->time == 25min);
  const auto unsampled = enough_for({attempt(10min, 1024), attempt(20min, std::nullopt)}, command);
  REQUIRE(unsampled);
  CHECK_FALSE(unsampled->memory.has_value());
}

TEST_CASE("a short run gives no peak, and a failed run gives no value") {
  const auto brief = enough_for({attempt(4min, 1024)}, command);
  REQUIRE(brief);
  CHECK_FALSE(brief->memory.has_value());
  CHECK(brief->time == 5min);
  auto failed = attempt(10min, 1024);
  failed.job.state = "FAILED";
  CHECK_FALSE(enough_for({failed}, command).has_value());
  CHECK_FALSE(enough_for({}, command).has_value());
  // A failed start does not hide what the one after it needed.
  CHECK(enough_for({failed, attempt(10min, 8 * 1024)}, command)->memory == Mebibytes{10 * 1024});
}

TEST_CASE("a hold is the user's own, and a chain's time is not that of its jobs") {
  templates::JobSpec hold;
  hold.hold = true;
  CHECK_FALSE(enough_for({attempt(10min, 1024)}, hold).has_value());
  templates::JobSpec chain;
  chain.chain.emplace();
  const auto enough = enough_for({attempt(10min, 1024)}, chain);
  REQUIRE(enough);
  CHECK(enough->memory == Mebibytes{2 * 1024});
  CHECK_FALSE(enough->time.has_value());
}

}  // namespace rv::cli
