#pragma once

#include <string>
#include <vector>

#include "workers/training/gpu/gradient_buckets.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A network on the current CUDA device: a list of things to enqueue for one whole training step, from the input's
/// memory to new weights.
class GpuNetwork {
 public:
  GpuNetwork(const Network& network, GpuRequest request);

  /// One step on this stream; what it does on others is joined at the end. `with_ranks` false: without adding up over
  /// the ranks.
  void enqueue_step(cudaStream_t stream, bool with_ranks = true);
  /// The mean seconds of each part of a step, of `repeats` steps in which nothing runs beside anything else.
  std::vector<StepWork::PartTime> profile(cudaStream_t stream, int repeats);

  const GpuNumbers& numbers() const { return step_.numbers; }
  const void* narrow_parameters() const { return step_.narrow_parameters; }
  /// All gradients of the last step in fp32, in `numbers().gradients`; of this rank alone where ranks exchange them.
  void widen_gradients(cudaStream_t stream) { buckets_.widen_all(stream); }
  /// After steps with other ranks: each may have moved a share of the weights. All call it.
  void gather(cudaStream_t stream) { buckets_.gather(stream); }
  /// After parameters were set from outside.
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
