#pragma once

#include <cstddef>
#include <cstdint>

namespace rv::workers {

/// The side of a square fp32 matrix that has at most so many MiB: the whole part of √(MiB·2²⁰/4).
std::size_t matrix_side(std::uint64_t mib);

/// What the load holds: A, B and the result, each with side² numbers of four bytes.
constexpr std::uint64_t load_bytes(std::size_t side) {
  return std::uint64_t{3} * side * side * 4;
}

/// What a process on a GPU takes at least beside its matrices: the CUDA context and cuBLAS's workspace. An H200 gives
/// about 500 MiB to it; less than this was seen nowhere, so that what is refused for it can't fit.
constexpr std::uint64_t least_context_bytes = std::uint64_t{256} << 20U;

}  // namespace rv::workers
