#pragma once

#include <functional>
#include <memory>

#include "workers/training/data/batch.h"

namespace rv::workers {

/// Memory for the images of batches, which is used again: to get it from the system, which clears it, costs a thread
/// more than to copy a batch. It grows to as many places as are in use at once, and copies of this share them.
class BatchMemory {
 public:
  /// A place for so many numbers, freed with its last owner.
  using Allocate = std::function<std::shared_ptr<float[]>(std::size_t count)>;

  /// Ordinary memory.
  BatchMemory();
  explicit BatchMemory(Allocate allocate);

  /// A place that nobody else holds, with whatever was left in it. For any thread; it may go back from any, and after
  /// this has gone.
  BatchValues take(std::size_t count) const;

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace rv::workers
