#pragma once

#include <cstdint>

#include "workers/envs/numbers/both.h"

namespace rv::ppo {

/// A permutation of 0 to count - 1 that needs no memory: a Feistel network on as many bits as `count` needs, repeated
/// until the result is below `count` (cycle walking, Black and Rogaway 2002). It is determined by seed and number.
struct Permutation {
  std::uint32_t count;
  int half;  ///< half the number of bits
  std::uint64_t key;
};

RV_BOTH std::uint64_t mixed(std::uint64_t x) {  // splitmix64's finaliser
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

RV_BOTH Permutation permutation(std::uint32_t count, std::uint64_t seed, std::uint64_t number) {
  int half = 1;
  while (half < 16 && (std::uint64_t{1} << (2 * half)) < count) ++half;
  return {count, half, mixed(mixed(seed) ^ number)};
}

RV_BOTH std::uint32_t place_of(std::uint32_t index, const Permutation& p) {
  const std::uint32_t mask = (std::uint32_t{1} << p.half) - 1;
  do {
    std::uint32_t left = index >> p.half, right = index & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint32_t next = left ^ (static_cast<std::uint32_t>(mixed(p.key ^ (round << 32) ^ right) >> 32) & mask);
      left = right;
      right = next;
    }
    index = left << p.half | right;
  } while (index >= p.count);
  return index;
}

}  // namespace rv::ppo
