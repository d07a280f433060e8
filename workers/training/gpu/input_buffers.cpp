#include "workers/training/gpu/input_buffers.h"

#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {

InputBuffers input_buffers(const Network& network, GpuType type, bool from_host, GpuMemory& memory) {
  InputBuffers buffers;
  if (network.input >= 0 && from_host) buffers.raw = memory.keep_array<float>(image_numbers(network));
  buffers.input = memory.keep(input_bytes(network, type));
  buffers.labels = memory.keep_array<int>(network.labels());
  return buffers;
}

std::size_t image_numbers(const Network& network) {
  return network.shape(network.input).rows() * 3;
}

std::size_t bytes_of_drawing(const Network& network, int decoders, int world) {
  if (decoders == 0 || network.input < 0) return 0;
  // With several ranks three more: the decoders that a rank releases after it was timed by itself.
  const int count = world > 1 ? 8 : 5;
  GpuMemory places(true);
  for (int i = 0; i < count; ++i) places.keep_array<float>(image_numbers(network));
  return places.taken() + static_cast<std::size_t>(decoders) * gpu_decoder_bytes;
}

std::size_t input_bytes(const Network& network, GpuType type) {
  return network.input >= 0 ? network.shape(network.input).count() * gpu_bytes(type) : network.labels() * sizeof(int);
}

}  // namespace rv::workers
