#include "cli/remote/forward/agreed_targets.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::forward {

namespace {

const RelayRequest two{.run = "", .node = "", .ports = {8888, 6006}, .automatic = false, .targets = {}};

Hello answer(std::vector<Target> targets) {
  return {.run = "k3f9x2", .name = "train", .targets = std::move(targets), .fault = {}};
}

std::vector<Target> found(int count) {
  std::vector<Target> targets;
  for (int i = 0; i < count; ++i) targets.push_back({"n1", 20'000 + i});
  return targets;
}

}  // namespace

TEST_CASE("an answer with the named ports in their order on one node is agreed") {
  const AgreedTargets agreed(two, answer({{"n1", 8888}, {"n1", 6006}}));
  CHECK(agreed.targets() == std::vector<Target>{{"n1", 8888}, {"n1", 6006}});
  CHECK(agreed.run() == "k3f9x2");
  RelayRequest twice = two;
  twice.ports = {80, 80};  // as two ports of the laptop
  CHECK(AgreedTargets(twice, answer({{"n1", 80}, {"n1", 80}})).targets().size() == 2);
}

TEST_CASE("more, fewer, other and reordered ports are refused") {
  for (const auto& targets : {std::vector<Target>{},
                              {{"n1", 8888}},
                              {{"n1", 6006}, {"n1", 8888}},
                              {{"n1", 8888}, {"n1", 6006}, {"n1", 3306}},
                              {{"n1", 8888}, {"n1", 5432}}}) {
    CHECK_THROWS_AS(AgreedTargets(two, answer(targets)), Error);
  }
  CHECK_THROWS_AS(AgreedTargets(two, answer({{"n1", 8888}, {"n2", 6006}})), Error);
  RelayRequest on_node = two;
  on_node.node = "n2";
  CHECK_THROWS_AS(AgreedTargets(on_node, answer({{"n1", 8888}, {"n1", 6006}})), Error);
  CHECK(AgreedTargets(on_node, answer({{"n2", 8888}, {"n2", 6006}})).targets().size() == 2);
}

TEST_CASE("an automatic request takes a bounded number of ports behind the named ones, each once") {
  RelayRequest automatic = two;
  automatic.ports = {};
  automatic.automatic = true;
  CHECK(AgreedTargets(automatic, answer(found(64))).targets().size() == 64);
  CHECK_THROWS_AS(AgreedTargets(automatic, answer(found(65))), Error);
  CHECK_THROWS_AS(AgreedTargets(automatic, answer({{"n1", 80}, {"n1", 80}})), Error);
  CHECK(AgreedTargets(automatic, answer({{"n1", 80}, {"n2", 80}})).targets().size() == 2);
  automatic.ports = {8888};
  CHECK(AgreedTargets(automatic, answer({{"n1", 8888}, {"n2", 80}})).targets().size() == 2);
  CHECK_THROWS_AS(AgreedTargets(automatic, answer({{"n2", 80}, {"n1", 8888}})), Error);
}

TEST_CASE("a connection that is made again keeps its targets") {
  const RelayRequest again{
      .run = "k3f9x2", .node = "", .ports = {}, .automatic = false, .targets = {{"n1", 8888}, {"n2", 80}}};
  CHECK(AgreedTargets(again, answer(again.targets)).targets() == again.targets);
  CHECK_THROWS_AS(AgreedTargets(again, answer({{"n1", 8888}})), Error);
  CHECK_THROWS_AS(AgreedTargets(again, answer({{"n1", 8888}, {"n2", 81}})), Error);
}

TEST_CASE("names and ports that no cluster has are refused") {
  const RelayRequest one{.run = "", .node = "", .ports = {80}, .automatic = false, .targets = {}};
  for (const char* node : {"", "-x", "n1 -x", "n1\n", "../n1"}) {
    CHECK_THROWS_AS(AgreedTargets(one, answer({{node, 80}})), Error);
  }
  auto said = answer({{"n1", 80}});
  said.run = "../x";
  CHECK_THROWS_AS(AgreedTargets(one, said), Error);
  said = answer({{"n1", 80}});
  said.name = "\x1b[2J";
  CHECK_THROWS_AS(AgreedTargets(one, said), Error);
  RelayRequest zero = one;
  zero.ports = {0};
  CHECK_THROWS_AS(AgreedTargets(zero, answer({{"n1", 0}})), Error);
}

}  // namespace rv::forward
