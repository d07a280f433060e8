#pragma once

#include <cstddef>
#include <cstdint>

namespace rv::workers {

/// The largest side of a square fp32 matrix of at most `mib` MiB: ⌊√(MiB·2²⁰/4)⌋.
std::size_t matrix_side(std::uint64_t mib);

/// Memory of the load: A, B and the result, each with side² numbers of four bytes.
constexpr std::uint64_t load_bytes(std::size_t side) {
  return std::uint64_t{3} * side * side * 4;
}

/// The minimum memory of a process on a GPU besides its matrices: the CUDA context and cuBLAS's workspace. An H200 uses
/// about 500 MiB for them. No GPU was observed to use less than this, so a configuration that is refused because of it
/// can't fit.
constexpr std::uint64_t least_context_bytes = std::uint64_t{256} << 20U;

}  // namespace rv::workers
