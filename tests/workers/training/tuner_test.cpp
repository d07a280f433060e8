#include "workers/training/gpu/step/tuner.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace rv::workers;

namespace {

/// Layers with so many ways to compute each, and what was chosen. Nothing is tried, so no GPU is needed.
struct Layers {
  explicit Layers(std::vector<int> before) : tuner(std::move(before)) {}
  void add(const std::string& what, std::size_t ways) {
    chosen.push_back(99);
    tuner.tune(
        what, ways, [this, at = chosen.size() - 1](std::size_t way) { chosen[at] = way; }, [](cudaStream_t) {},
        nullptr);
  }
  Tuner tuner;
  std::vector<std::size_t> chosen;
};

/// What two layers with one way each choose.
std::vector<int> choices_of_two() {
  Layers fresh({});
  fresh.add("forward", 1);
  fresh.add("backward", 1);
  return fresh.tuner.choices();
}

}  // namespace

TEST_CASE("choices made before are taken again by the same layers, and by no others") {
  const auto before = choices_of_two();
  REQUIRE(before.size() == 3);
  CHECK(before[0] > 0);
  CHECK(before[0] < (1 << 24));
  Layers same(before);
  same.add("forward", 1);
  same.add("backward", 1);
  CHECK_NOTHROW(same.tuner.close());
  CHECK(same.chosen == std::vector<std::size_t>{0, 0});
  CHECK(same.tuner.choices() == before);

  Layers fewer(before);
  fewer.add("forward", 1);
  CHECK_THROWS_WITH_AS(fewer.tuner.close(), doctest::Contains("another version of rv-train"), std::runtime_error);
  Layers other(before);
  other.add("forward", 1);
  other.add("backward, fused", 1);
  CHECK_THROWS_AS(other.tuner.close(), std::runtime_error);
  Layers more_ways(before);
  more_ways.add("forward", 1);
  more_ways.add("backward", 2);
  CHECK_THROWS_AS(more_ways.tuner.close(), std::runtime_error);
  Layers more(before);
  more.add("forward", 1);
  more.add("backward", 1);
  CHECK_THROWS_AS(more.add("loss", 1), std::runtime_error);
}

TEST_CASE("a rank takes over another's choices, unless it has others to choose from") {
  Layers one({});
  one.add("forward", 1);
  one.add("forward", 1);  // the same layer again is not its own choice
  CHECK(one.tuner.choices().size() == 2);
  Layers equal({}), different({});
  equal.add("forward", 1);
  different.add("forwards", 1);
  CHECK_NOTHROW(equal.tuner.adopt(one.tuner.choices()));
  CHECK_THROWS_AS(different.tuner.adopt(one.tuner.choices()), std::runtime_error);
}
