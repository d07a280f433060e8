#include "workers/stress/load_size.h"

#include <cmath>

namespace rv::workers {

std::size_t matrix_side(std::uint64_t mib) {
  const auto numbers = (mib << 20U) / 4;
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(numbers)));
  while (static_cast<std::uint64_t>(side) * side > numbers) --side;
  while (static_cast<std::uint64_t>(side + 1) * (side + 1) <= numbers) ++side;
  return side;
}

}  // namespace rv::workers
