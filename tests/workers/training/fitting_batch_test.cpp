#include "workers/training/fitting_batch.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

namespace {

std::size_t needed(int batch) {
  return std::size_t{500} + static_cast<std::size_t>(batch) * 10;
}

}  // namespace

TEST_CASE("a batch that fits every rank's device is not refused") {
  CHECK(!refuse_large_batch(50, {RankMemory{{1000, 2000}, 1}}, {"n1"}, true, needed));
  CHECK(
      !refuse_large_batch(50, {RankMemory{{2000, 2000}, 2}, RankMemory{{2000, 2000}, 2}}, {"n1", "n1"}, false, needed));
  CHECK(!refuse_large_batch(50, {std::nullopt}, {"n1"}, true, needed));
}

TEST_CASE("a batch that does not fit is refused with bytes needed and free, and the largest that fits") {
  const auto refusal = refuse_large_batch(51, {RankMemory{{1009, 2000}, 1}}, {"n1"}, true, needed);
  REQUIRE(refusal);
  CHECK(refusal->message ==
        "out_of_memory: a step of --batch-size 51 needs 1010 bytes of GPU memory, but 1009 are free");
  CHECK(refusal->advice == "--batch-size 50 fits");
  CHECK(refusal->code == 4);
  const auto none = refuse_large_batch(8, {RankMemory{{509, 2000}, 1}}, {"n1"}, true, needed);
  REQUIRE(none);
  CHECK(none->advice == "no batch fits; free some memory, or use smaller samples");
}

TEST_CASE("what fits is what fits the rank with the least free memory, and ranks of one host share its memory") {
  const std::vector<std::optional<RankMemory>> gpus{RankMemory{{900, 2000}, 1}, std::nullopt,
                                                    RankMemory{{700, 2000}, 1}};
  const auto refusal = refuse_large_batch(64, gpus, {"n1", "n1", "n2"}, true, needed);
  REQUIRE(refusal);
  CHECK(refusal->message.find("rank 2 (host n2): a step of --batch-size 64 needs 1140 bytes") != std::string::npos);
  CHECK(refusal->advice == "--batch-size 20 fits");
  const std::vector<std::optional<RankMemory>> shared{RankMemory{{2000, 4000}, 3}, RankMemory{{2000, 4000}, 3},
                                                      RankMemory{{2000, 4000}, 3}};
  const auto together = refuse_large_batch(20, shared, {"n1", "n1", "n1"}, false, needed);
  REQUIRE(together);
  CHECK(together->message ==
        "out_of_host_memory: rank 0 (host n1): a step of 3 ranks with --batch-size 20 needs 2100 bytes of memory, but "
        "2000 are free");
  CHECK(together->advice == "--batch-size 16 fits");
}
