#pragma once

#include <cstdint>

namespace rv::workers {

/// Of a block of a kernel in which each thread has eight elements, or one.
constexpr int threads = 256;

inline unsigned int blocks_for(std::int64_t count) {
  return static_cast<unsigned int>((count + threads - 1) / threads);
}

}  // namespace rv::workers
