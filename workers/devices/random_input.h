#pragma once

#include <cstdint>

namespace rv::workers {

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit affects every output bit.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Element `index` of the random array `seed`: approximately normal, mean 0, variance 1, |x| < 3.5. Host and GPU
/// compute the same bits (one integer sum, one multiplication), so the host has the inputs without a copy, and an input
/// that changed in GPU memory is found. Zeros or short mantissas would draw less power and run faster than real data.
constexpr double random_input(std::uint64_t seed, std::uint64_t index) {
  const auto bits = scramble(scramble(seed) ^ index);
  // Four uniform 16-bit numbers: mean 131070, variance (2³²-1)/3.
  const auto sum =
      static_cast<std::int64_t>((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
  return static_cast<double>(sum - 131070) * 2.6428997921303e-05;
}

/// The contribution of element `index` with the bit pattern `bits` to a checksum. The sum over all elements depends on
/// every bit and its position, but not on the order of adding.
constexpr std::uint64_t checksum_term(std::uint64_t index, std::uint64_t bits) {
  return scramble(bits ^ scramble(index));
}

}  // namespace rv::workers
