#include "chain_model.h"

#include <doctest/doctest.h>

using namespace protocol::chain;

TEST_CASE("segments follow each other: none beside another, none after the work is finished or the run is over") {
  for (const auto& setting : {Setting{.faults = 1}, Setting{.faults = 2, .stops = false}}) {
    Walk walk(setting);
    CHECK(walk.find() == "");
    MESSAGE(setting.faults << " faults: " << walk.states() << " states");
    CHECK(walk.states() > 1000);
  }
}

TEST_CASE("each thing that a job looks at before its segment is needed") {
  for (const auto& setting : {Setting{.minds_finished = false}, Setting{.asks_slurm = false},
                              Setting{.minds_restarts = false}, Setting{.closes_once = false}}) {
    Walk walk(setting);
    const auto way = walk.find();
    CHECK(way != "");
    MESSAGE(way);
  }
}
