#include "workers/collectives/stream_flags.h"

#include <cuda.h>
#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

using Operation = CUstreamBatchMemOpParams;

Operation written(std::uint32_t* flag, std::uint32_t value) {
  Operation write{};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = reinterpret_cast<CUdeviceptr>(flag);
  write.writeValue.value = value;
  write.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;  // after a system-wide fence
  return write;
}

Operation awaited(std::uint32_t* flag) {
  Operation wait{};
  wait.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  wait.waitValue.address = reinterpret_cast<CUdeviceptr>(flag);
  wait.waitValue.value = 1;
  wait.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  return wait;
}

void enqueue(void* function, std::span<Operation> operations, cudaStream_t stream) {
  const auto call = reinterpret_cast<decltype(&cuStreamBatchMemOp)>(function);
  const auto result = call(stream, static_cast<unsigned int>(operations.size()), operations.data(), 0);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(fmt::format("a stream's flag: CUDA error {}", static_cast<int>(result)));
}

}  // namespace

StreamFlags::StreamFlags() {
  cudaDriverEntryPointQueryResult found{};
  constexpr unsigned int version = 12000;  // the version that supports captured streams
  cuda_call(cudaGetDriverEntryPointByVersion("cuStreamBatchMemOp", &operation_, version, cudaEnableDefault, &found),
            "ask the driver for a stream's flags");
  if (found != cudaDriverEntryPointSuccess || operation_ == nullptr) {
    throw std::runtime_error("the driver does not support stream memory operations");
  }
}

void StreamFlags::raise(std::span<std::uint32_t* const> flags, cudaStream_t stream) const {
  std::vector<Operation> all;
  for (auto* const flag : flags) all.push_back(written(flag, 1));
  enqueue(operation_, all, stream);
}

void StreamFlags::await(std::span<std::uint32_t* const> flags, cudaStream_t stream) const {
  std::vector<Operation> all;
  for (auto* const flag : flags) {
    all.push_back(awaited(flag));
    all.push_back(written(flag, 0));
  }
  enqueue(operation_, all, stream);
}

}  // namespace rv::workers
