#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "workers/ppo/iteration_log.h"
#include "workers/ppo/memory_check.h"

using namespace rv;
using namespace rv::ppo;

TEST_CASE("the log has RSL-RL's lines, and leaves out unknown values") {
  Outcome outcome;
  outcome.collection_seconds = 1.5;
  outcome.learning_seconds = 0.5;
  const auto unknown = std::numeric_limits<double>::quiet_NaN();
  const IterationProgress at{3, 10, 2000, 6000, 7325, 3};
  auto text = iteration_text(at, outcome, {unknown, unknown, unknown});
  CHECK(text.find("Computation: 1000 steps/s (collection: 1.500s, learning 0.500s)\n") != std::string::npos);
  CHECK(text.find("Total timesteps: 6000\n") != std::string::npos);
  CHECK(text.find("Iteration time: 2.000s\n") != std::string::npos);
  CHECK(text.find("Time elapsed: 02:02:05\n") != std::string::npos);
  CHECK(text.find("ETA: 04:44:51\n") != std::string::npos);
  CHECK(text.find("Mean reward") == std::string::npos);
  CHECK(text.find("terrain") == std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
  outcome.episodes = 2;
  outcome.episode_reward = 12.25;
  text = iteration_text(at, outcome, {unknown, 0.25, unknown});
  CHECK(text.find("Mean reward: 12.250\n") != std::string::npos);
  CHECK(text.find("Mean tracking error: 0.2500\n") != std::string::npos);
}

TEST_CASE("what does not fit is refused with what is needed, what there is, and what fits") {
  const auto needed = [](int environments) { return static_cast<std::size_t>(environments) * 1000000; };
  const workers::AvailableMemory memory{70000000000, 80000000000};
  CHECK(!refuse_what_does_not_fit(70000, memory, true, needed));
  const auto refusal = refuse_what_does_not_fit(131072, memory, true, needed);
  REQUIRE(refusal);
  CHECK(refusal->message ==
        "out_of_memory: 131,072 environments need 131.1 GB of 80.0 GB of GPU memory, and 10.0 GB are in use");
  CHECK(refusal->advice == "--num-envs 70000 fits");
  CHECK(refusal->code == 4);
  const auto none = refuse_what_does_not_fit(3, {10, 20}, false, needed);
  REQUIRE(none);
  CHECK(none->message.starts_with("out_of_host_memory: 3 environments need 0.003 GB of 0.000 GB of memory"));
  CHECK(none->advice == "not even one environment fits; free some memory");
}
