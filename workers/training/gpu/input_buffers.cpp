#include "workers/training/gpu/input_buffers.h"

namespace rv::workers {

InputBuffers input_buffers(const Network& network, GpuType type, GpuMemory& memory) {
  InputBuffers buffers;
  if (network.input >= 0) buffers.raw = memory.keep_array<float>(network.shape(network.input).rows() * 3);
  buffers.input = memory.keep(input_bytes(network, type));
  buffers.labels = memory.keep_array<int>(network.labels());
  return buffers;
}

std::size_t input_bytes(const Network& network, GpuType type) {
  return network.input >= 0 ? network.shape(network.input).count() * gpu_bytes(type) : network.labels() * sizeof(int);
}

}  // namespace rv::workers
