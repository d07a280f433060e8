// Chance that is the same on every machine: numbers computed from a seed and a key, with integer arithmetic alone.
#pragma once

#include <cstdint>

namespace rv {

/// Every bit of the result hangs on every bit of the input (the finaliser of SplitMix64; Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
  return mixed(mixed(one) ^ other);
}

/// In [0, 1): the upper 53 bits, which a double holds exactly.
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

}  // namespace rv
