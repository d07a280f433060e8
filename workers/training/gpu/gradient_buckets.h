#pragma once

#include <optional>

#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/sharded_update.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Gradients on their way to new weights: what the backward pass has finished is added up over the ranks and used, a
/// bucket of parameters at a time, while the backward pass goes on. Those of products are finished from the last to the
/// first, then the others.
class GradientBuckets {
 public:
  explicit GradientBuckets(GpuStep& step);
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  /// All parameters of products from here on have their gradients.
  void finished(std::size_t from);
  /// All have: the last bucket, fp16's update, which waits for all gradients to be known to be numbers, and what the
  /// GPU must know.
  void close();

  /// All gradients of the last step in fp32, in GpuNumbers::gradients; of this rank alone where ranks exchange them.
  void widen_all(cudaStream_t stream);
  /// Outside of steps: every rank gets the parameters and the momentum that others have moved.
  void gather(cudaStream_t stream);

  bool with_ranks = true;  ///< of the step that is being enqueued

 private:
  void flush(std::size_t begin, std::size_t end);
  std::size_t narrow_among(std::size_t begin, std::size_t end) const;
  /// Of the step that is being enqueued, once all were added up; where ranks exchange them, of this one alone.
  Gradients gradients() const;
  void add_up(const Gradients& gradients, std::size_t begin, std::size_t end, cudaStream_t stream);
  void update_after_all(cudaStream_t stream);

  GpuStep& step_;
  std::size_t unsent_;                    ///< the end of what no bucket has yet
  std::optional<ShardedUpdate> sharded_;  ///< where each rank moves a share of the weights
};

}  // namespace rv::workers
