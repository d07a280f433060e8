#pragma once

#include <cstdint>

#include "workers/envs/numbers/both.h"

namespace rv::envs {

struct Random4 {
  std::uint32_t word[4];
};

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): computes four
/// random words from a counter and a key. It has no state, so the numbers do not depend on the number of threads.
RV_BOTH Random4 philox(Random4 counter, std::uint32_t key0, std::uint32_t key1) {
  RV_UNROLL
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter.word[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return counter;
}

RV_BOTH Random4 philox(Random4 counter, std::uint64_t key) {
  return philox(counter, static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
}

/// A float in [0, 1) with 24 random bits.
RV_BOTH float uniform(std::uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0F / 16777216.0F);
}

RV_BOTH float uniform(std::uint32_t word, float low, float high) {
  return low + (high - low) * uniform(word);
}

}  // namespace rv::envs
