#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "workers/training/data/batch_memory.h"

namespace rv::tests {

/// Memory for batches that knows its places; what nobody wrote into one is not a number.
class CountedMemory {
 public:
  workers::BatchMemory memory() const {
    return workers::BatchMemory([seen = seen_](std::size_t count) {
      const auto place = std::make_shared<float[]>(count, std::numeric_limits<float>::quiet_NaN());
      const std::lock_guard lock(seen->mutex);
      seen->places.emplace_back(place.get());
      return place;
    });
  }

  std::size_t places() const {
    const std::lock_guard lock(seen_->mutex);
    return seen_->places.size();
  }
  bool has(const float* numbers) const {
    const std::lock_guard lock(seen_->mutex);
    return std::find(seen_->places.begin(), seen_->places.end(), numbers) != seen_->places.end();
  }

 private:
  struct Seen {
    std::mutex mutex;
    std::vector<const float*> places;
  };
  std::shared_ptr<Seen> seen_ = std::make_shared<Seen>();
};

}  // namespace rv::tests
