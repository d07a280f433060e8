#pragma once

#include <string>
#include <vector>

#include "workers/training/gpu/gradient_buckets.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A network on the current CUDA device: the operations that are enqueued for a complete training step, from loaded
/// input to new weights.
class GpuNetwork {
 public:
  GpuNetwork(const Network& network, GpuRequest request);

  /// Enqueues one step on this stream; work on other streams is joined at the end. `with_ranks` false: gradients are
  /// not summed over the ranks.
  void enqueue_step(cudaStream_t stream, bool with_ranks = true);
  /// The mean seconds of each part of a step, over `repeats` steps in which the parts run one after another.
  std::vector<StepWork::PartTime> profile(cudaStream_t stream, int repeats);

  const GpuNumbers& numbers() const { return step_.numbers; }
  const void* narrow_parameters() const { return step_.narrow_parameters; }
  /// Converts all gradients of the last step to fp32, in `numbers().gradients`. If ranks exchange their gradients, only
  /// those of this rank.
  void widen_gradients(cudaStream_t stream) { buckets_.widen_all(stream); }
  /// Call it on all ranks after steps with other ranks: collects the weights, of which each rank may have updated a
  /// share.
  void gather(cudaStream_t stream) { buckets_.gather(stream); }
  /// Call it after setting parameters from outside.
  void refresh(cudaStream_t stream);
  Tuner& tuner() { return step_.tuner; }
  const GpuMemory& memory() const { return step_.memory; }
  const AttentionMemory& attention() const { return step_.attention; }
  const ConvolutionErrors& convolution_errors() const { return step_.convolution_errors; }
  std::string cudnn_version() const;

 private:
  void forward(std::size_t index);
  void backward(std::size_t index);

  GpuStep step_;
  GradientBuckets buckets_;
};

}  // namespace rv::workers
