#pragma once

#include <cstddef>
#include <vector>

#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Updates weights in 16 bits that a few ranks train together, where each rank updates a share of them (ZeRO stage 1,
/// Rajbhandari et al. 2020). Gradients are sent in their stored type to the rank that owns the share; it sums them in
/// fp32 in the order of the ranks, and sends the new weights in 16 bits. The few parameters that layers read in fp32
/// are updated by every rank, and their gradients are sent to all. Until `gather`, momentum and fp32 weights are
/// current only on the rank that updates them.
class ShardedUpdate {
 public:
  explicit ShardedUpdate(GpuStep& step) : step_(step) {}

  /// Parameters whose gradients are sent together: the elements of each rank's share, and their position in a slot.
  struct Bucket {
    std::size_t begin = 0, end = 0;
    std::size_t share = 0, place = 0;
  };
  /// Call it from the last parameters to the first, while the step is built.
  const Bucket& add_bucket(std::size_t begin, std::size_t end);

  /// These enqueue work of the current step. exchange: sends gradients, and waits for those of the others.
  void exchange(const Bucket& bucket, cudaStream_t stream);
  /// Updates this rank's share of that bucket, and sends it.
  void move(const Bucket& bucket, cudaStream_t stream);
  /// For fp16, after all exchanges and before any update: a step that overflowed on one rank counts as overflowed on
  /// all.
  void agree_on_overflow(cudaStream_t stream);
  void move_all(cudaStream_t stream);
  /// The end of the step: the other ranks' weights have arrived.
  void finish(cudaStream_t stream);

  /// Between steps: sends each rank's parameters and momentum to all others.
  void gather(cudaStream_t stream);

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    std::size_t count() const { return end - begin; }
  };

  RankExchange& others() const { return *step_.request.exchange; }
  const ExchangeSpace& space() const { return *step_.exchange_space; }
  Range share_of(const Bucket& bucket, int rank) const;
  /// Calls `call` with each other rank and the position at which that rank writes into this rank's memory.
  template <class Call>
  void from_others(Call call) const;
  void move(const Gradients& gradients, Range range, cudaStream_t stream);
  /// Sends `bytes` to this position of the slot that each other rank has for this rank. Returns the number of the part.
  int send_to_all(const void* from, std::size_t place, std::size_t bytes, cudaStream_t stream);
  /// Sends this rank's share of the bucket, of an array of ExchangeSpace with elements of `element` bytes.
  int send_array(const Bucket& bucket, std::size_t array, std::size_t element, cudaStream_t stream);

  GpuStep& step_;
  std::vector<Bucket> buckets_;
  std::size_t placed_ = 0;
  std::vector<int> coming_;  ///< parts with weights of the step being enqueued
};

}  // namespace rv::workers
