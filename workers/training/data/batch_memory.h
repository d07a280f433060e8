#pragma once

#include <functional>
#include <memory>

#include "workers/training/data/batch.h"

namespace rv::workers {

/// A pool of memory for the images of batches. Allocating from the system, which clears the memory, takes a thread
/// longer than copying a batch. The pool grows to the number of batches that are in use at once, and is shared by its
/// copies.
class BatchMemory {
 public:
  /// Allocates memory for `count` numbers, freed with its last owner.
  using Allocate = std::function<std::shared_ptr<float[]>(std::size_t count)>;

  /// Uses ordinary memory.
  BatchMemory();
  explicit BatchMemory(Allocate allocate);

  /// Returns unused memory with undefined content. Any thread may call it and release the memory, also after the pool
  /// is destroyed.
  BatchValues take(std::size_t count) const;

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace rv::workers
