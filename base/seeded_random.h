// Random numbers that are the same on every machine: computed from a seed and a key with integer arithmetic only.
#pragma once

#include <cstdint>

namespace rv {

/// Every bit of the result depends on every bit of the input (the finaliser of SplitMix64; Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

constexpr std::uint64_t mixed(std::uint64_t first, std::uint64_t second) {
  return mixed(mixed(first) ^ second);
}

/// Returns a number in [0, 1): the upper 53 bits, which a double represents exactly.
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

}  // namespace rv
