#include "workers/training/gpu/kernels/products/tensor_map.h"

#include <cuda_runtime_api.h>

#include <stdexcept>

#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

/// The driver's function, looked up at run time: this program must also load on a host without a driver.
Encode encode() {
  static const Encode found = [] {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult result{};
    cuda_call(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000, cudaEnableDefault, &result),
              "look for the driver's tensor maps");
    if (result != cudaDriverEntryPointSuccess) throw std::runtime_error("the driver does not support tensor maps");
    return reinterpret_cast<Encode>(address);
  }();
  return found;
}

}  // namespace

CUtensorMap tensor_map(GpuType type, const void* first, std::int64_t rows, std::int64_t columns, int box_rows) {
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t strides[] = {static_cast<cuuint64_t>(columns) * 2};
  const cuuint32_t box[] = {64, static_cast<cuuint32_t>(box_rows)}, steps[] = {1, 1};
  CUtensorMap map{};
  const auto status =
      encode()(&map, type == GpuType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,
               const_cast<void*>(first), extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) throw std::runtime_error("the driver refuses a tensor map");
  return map;
}

}  // namespace rv::workers
