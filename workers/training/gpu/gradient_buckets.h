#pragma once

#include <optional>

#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/sharded_update.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Sums gradients over the ranks and updates the weights, one bucket of parameters at a time, while the backward pass
/// continues. The gradients of products are completed from the last to the first, followed by the others.
class GradientBuckets {
 public:
  explicit GradientBuckets(GpuStep& step);
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  /// The gradients of all products' parameters from `from` on are complete.
  void finished(std::size_t from);
  /// All gradients are complete: adds the last bucket, and for fp16 the update, which must wait until all gradients are
  /// known to be finite.
  void close();

  /// Converts all gradients of the last step to fp32, in GpuNumbers::gradients. If ranks exchange their gradients, only
  /// those of this rank.
  void widen_all(cudaStream_t stream);
  /// Between steps: gives every rank the parameters and the momentum that other ranks have updated.
  void gather(cudaStream_t stream);

  bool with_ranks = true;  ///< whether the step being enqueued includes the other ranks

 private:
  void flush(std::size_t begin, std::size_t end);
  std::size_t narrow_among(std::size_t begin, std::size_t end) const;
  /// The gradients of the step being enqueued after the sum; if ranks exchange them, those of this rank.
  Gradients gradients() const;
  void add_up(const Gradients& gradients, std::size_t begin, std::size_t end, cudaStream_t stream);
  void update_after_all(cudaStream_t stream);

  GpuStep& step_;
  std::size_t unsent_;                    ///< end of the parameters that are not in a bucket yet
  std::optional<ShardedUpdate> sharded_;  ///< if each rank updates a share of the weights
};

}  // namespace rv::workers
