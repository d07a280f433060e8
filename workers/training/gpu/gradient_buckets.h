#pragma once

#include <vector>

#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/step/gpu_step.h"

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
  /// Neighbours in `ranges_`.
  struct Ranges {
    std::size_t first = 0;
    int count = 0;
    std::int64_t longest = 0;
    std::size_t parameters = 0;
  };
  struct Bucket {
    std::size_t begin = 0, end = 0;
    Ranges narrow;  ///< gradients that come in the type of the products
    Ranges wide;    ///< those that come in fp32; none where all are wanted in fp32
    bool first = false;
  };

  void flush(std::size_t begin, std::size_t end);
  Bucket bucket(std::size_t begin, std::size_t end);
  bool comes_narrow(const Layer& layer) const;
  void note(Ranges& ranges, std::size_t offset, std::size_t count);
  const ParameterRange* there(const Ranges& ranges) const { return ranges_there_ + ranges.first; }

  void add_up(const Bucket& bucket, cudaStream_t stream);
  void exchange(const Bucket& bucket, cudaStream_t stream);
  RankGradients of_all(const Bucket& bucket) const;
  UpdateMemory update_memory() const;

  GpuStep& step_;
  std::size_t unsent_;  ///< the end of what no bucket has yet
  std::vector<ParameterRange> ranges_;
  ParameterRange* ranges_there_ = nullptr;
};

}  // namespace rv::workers
