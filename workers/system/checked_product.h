#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace rv::workers {

/// The product of extents, counts and sizes that were read from a file; nothing if it exceeds 64 bits.
constexpr std::optional<std::uint64_t> checked_product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t product = 1;
  bool overflows = false;
  for (const auto factor : factors) {
    // A zero anywhere makes the product 0, so that the order of the extents does not matter.
    if (factor == 0) return 0;
    overflows = __builtin_mul_overflow(product, factor, &product) || overflows;
  }
  if (overflows) return std::nullopt;
  return product;
}

}  // namespace rv::workers
