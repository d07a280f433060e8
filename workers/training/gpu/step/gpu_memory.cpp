#include "workers/training/gpu/step/gpu_memory.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdint>

#include "workers/devices/cuda_call.h"

namespace rv::workers {

GpuMemory::~GpuMemory() {
  for (auto* const data : owned_) cudaFree(data);
}

void* GpuMemory::keep(std::size_t bytes) {
  bytes = (bytes + 511) / 512 * 512;
  total_ += bytes;
  if (bytes > page / 2) {
    pages_ += (bytes + page - 1) / page * page;
  } else {
    small_ += bytes;
  }
  // An address that is never accessed.
  if (rehearsal_)
    return reinterpret_cast<void*>(std::uintptr_t{512} + total_ - bytes);  // NOLINT(performance-no-int-to-ptr)
  void* data = nullptr;
  cuda_call(cudaMalloc(&data, bytes),
            fmt::format("allocate {} bytes of GPU memory behind {}", bytes, total_ - bytes).c_str());
  owned_.push_back(data);
  cuda_call(cudaMemset(data, 0, bytes), "clear GPU memory");
  return data;
}

GpuMemory::Lease GpuMemory::lend(std::size_t bytes) {
  bytes = (bytes + 511) / 512 * 512;
  auto best = free_->end();
  for (auto it = free_->begin(); it != free_->end(); ++it) {
    if (it->bytes >= bytes && (best == free_->end() || it->bytes < best->bytes)) best = it;
  }
  Free found{nullptr, bytes};
  if (best != free_->end() && best->bytes <= 2 * bytes) {
    found = *best;
    free_->erase(best);
  } else {
    found.data = keep(bytes);
  }
  return {found.data, [free = free_, found](void*) { free->push_back(found); }};
}

}  // namespace rv::workers
