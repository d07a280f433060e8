#include "workers/devices/checksum.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "workers/devices/random_input.h"

namespace rv::workers {

std::string checksum_of(std::span<const float> numbers) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += checksum_term(i, std::bit_cast<std::uint32_t>(numbers[i]));
  return fmt::format("{:016x}", sum);
}

}  // namespace rv::workers
