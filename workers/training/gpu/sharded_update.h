#pragma once

#include <cstddef>
#include <vector>

#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Weights that a few ranks learn together in 16 bits, each moving a share of them (ZeRO's first stage, Rajbhandari et
/// al. 2020). Gradients go, as they are stored, to the rank whose share they are of, which adds them up in fp32 in the
/// order of the ranks; the new weights come back in 16 bits. What layers read in fp32 is little: its gradients go to
/// all, and every rank moves it. Momentum and the weights in fp32 are up to date where they are moved, until `gather`.
class ShardedUpdate {
 public:
  explicit ShardedUpdate(GpuStep& step) : step_(step) {}

  /// Parameters whose gradients are sent together; of each rank's share so many elements, at this place in a slot.
  struct Bucket {
    std::size_t begin = 0, end = 0;
    std::size_t share = 0, place = 0;
  };
  /// From the last parameters to the first, while the step is put together.
  const Bucket& add_bucket(std::size_t begin, std::size_t end);

  /// Enqueue, of the step that is being enqueued: sends gradients, and waits for the others'.
  void exchange(const Bucket& bucket, cudaStream_t stream);
  /// Moves what this rank moves of that bucket, and sends it.
  void move(const Bucket& bucket, cudaStream_t stream);
  /// Of fp16: after all were exchanged, none moved. A step that overflowed on one rank has on all.
  void agree_on_overflow(cudaStream_t stream);
  void move_all(cudaStream_t stream);
  /// The step's end: the others' weights have come.
  void finish(cudaStream_t stream);

  /// Outside of steps: each rank's parameters and momentum go to all others.
  void gather(cudaStream_t stream);

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    std::size_t count() const { return end - begin; }
  };

  RankExchange& others() const { return *step_.request.exchange; }
  const ExchangeSpace& space() const { return *step_.exchange_space; }
  Range share_of(const Bucket& bucket, int rank) const;
  /// Calls `call` with each other rank, and where it writes into this one's memory.
  template <class Call>
  void from_others(Call call) const;
  void move(const Gradients& gradients, Range range, cudaStream_t stream);
  /// To that place of the slot that each other rank has for this one's; the part's number.
  int send_to_all(const void* from, std::size_t place, std::size_t bytes, cudaStream_t stream);
  /// This rank's share of the bucket, of an array of ExchangeSpace with elements of so many bytes.
  int send_array(const Bucket& bucket, std::size_t array, std::size_t element, cudaStream_t stream);

  GpuStep& step_;
  std::vector<Bucket> buckets_;
  std::size_t placed_ = 0;
  std::vector<int> coming_;  ///< weights of the step that is being enqueued
};

}  // namespace rv::workers
