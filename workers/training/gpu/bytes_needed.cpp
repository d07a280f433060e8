// The GPU memory of a training, counted by a rehearsal of its network.
#include <memory>
#include <optional>

#include "workers/training/gpu/gpu_network.h"
#include "workers/training/gpu/input_buffers.h"
#include "workers/training/gpu/request_of_learner.h"

namespace rv::workers {
namespace {

/// A reserve for memory that rv does not allocate itself: kernels that cuDNN and cuBLASLt load while layers are tuned,
/// and captured steps; with several ranks also NCCL's memory at its first sum.
constexpr auto reserve_of_libraries = std::size_t{1} << 30, reserve_of_ranks = std::size_t{1} << 30;

}  // namespace

std::function<std::size_t(const Network&)> gpu_bytes_counter(const LearnerRequest& request, int world) {
  auto gpu = request_of_learner(request, world);
  gpu.rehearsal = true;
  // Only the first batch initialises cuDNN.
  gpu.attention_workspace = [asked =
                                 std::make_shared<std::optional<AttentionWorkspace>>()](const AttentionShape& shape) {
    if (!*asked) *asked = workspace_of_kernels(shape);
    if (!*asked) *asked = attention_workspace(GpuLibraries(), shape);
    return **asked;
  };
  const auto reserve = reserve_of_libraries + (world > 1 ? reserve_of_ranks : 0);
  return [gpu, reserve, world, decoders = request.gpu_decoders](const Network& network) {
    GpuMemory slots(true);
    for (int i = 0; i < learner_slots; ++i) input_buffers(network, storage_of(gpu.precision), decoders == 0, slots);
    return GpuNetwork(network, gpu).memory().taken() + slots.taken() + bytes_of_drawing(network, decoders, world) +
           reserve;
  };
}

}  // namespace rv::workers
