#pragma once

#include <vector>

#include "workers/training/gpu/gpu_step.h"
#include "workers/training/gpu/kernels/update_kernels.h"

namespace rv::workers {

/// Gradients on their way to new weights: what the backward pass has finished is added up over the ranks and used, a
/// bucket of parameters at a time, while the backward pass goes on. Parameters are finished from the last to the first.
class GradientBuckets {
 public:
  explicit GradientBuckets(GpuStep& step) : step_(step), unsent_(step.network.parameter_space) {}
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  /// All parameters from here on have their gradients. 0: that was the last.
  void finished(std::size_t from);
  /// After the last: fp16's update, which waits for all gradients to be known to be numbers, and what the GPU must
  /// know.
  void close();

  bool with_ranks = true;  ///< of the step that is being enqueued

 private:
  void flush(std::size_t begin, std::size_t end);

  GpuStep& step_;
  std::size_t unsent_;  ///< the end of what no bucket has yet
  std::vector<ParameterRange> stretches_;
  ParameterRange* stretches_there_ = nullptr;
};

}  // namespace rv::workers
