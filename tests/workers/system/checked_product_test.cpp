#include "workers/system/checked_product.h"

#include <doctest/doctest.h>

using rv::workers::checked_product;

TEST_CASE("a product that does not fit into 64 bits is nothing, in any order of its factors") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  CHECK(checked_product({}) == 1U);
  CHECK(checked_product({60000, 28, 28}) == 47040000U);
  CHECK(checked_product({most, 1}) == most);
  CHECK(checked_product({most, 2}) == std::nullopt);
  // 2^64, which wraps to 0, and 2^65 + 2^32, which wraps to 2^32.
  CHECK(checked_product({65536, 1U << 24, 1U << 24}) == std::nullopt);
  CHECK(checked_product({1ULL << 32, (1ULL << 33) + 1}) == std::nullopt);
  CHECK(checked_product({most, most, 0}) == 0U);
  CHECK(checked_product({0, most, most}) == 0U);
}
