#pragma once

#include <cstddef>

namespace rv::workers {

/// The stored type of activations and of the weights' working copies.
enum class GpuType { fp32, fp16, bf16 };

constexpr std::size_t gpu_bytes(GpuType type) {
  return type == GpuType::fp32 ? 4 : 2;
}

}  // namespace rv::workers
