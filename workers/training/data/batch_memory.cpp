#include "workers/training/data/batch_memory.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace rv::workers {

struct BatchMemory::Shelf {
  struct Place {
    std::size_t count;
    std::shared_ptr<float[]> memory;
  };

  explicit Shelf(Allocate how) : allocate(std::move(how)) {}

  Place take(std::size_t count) {
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(free.begin(), free.end(), [count](auto& place) { return place.count == count; });
    if (found != free.end()) {
      auto place = std::move(*found);
      free.erase(found);
      return place;
    }
    Place place{count, allocate(count)};
    // Reserved here, so that returning memory never fails.
    free.reserve(++places);
    return place;
  }

  void give_back(Place place) {
    const std::lock_guard lock(mutex);
    free.push_back(std::move(place));
  }

  const Allocate allocate;
  std::mutex mutex;
  std::vector<Place> free;
  std::size_t places = 0;
};

BatchMemory::BatchMemory() : BatchMemory([](auto count) { return std::make_shared_for_overwrite<float[]>(count); }) {}

BatchMemory::BatchMemory(Allocate allocate) : shelf_(std::make_shared<Shelf>(std::move(allocate))) {}

BatchValues BatchMemory::take(std::size_t count) const {
  auto place = shelf_->take(count);
  auto* const numbers = place.memory.get();
  return {{numbers, [shelf = shelf_, place](float*) { shelf->give_back(place); }}, count};
}

}  // namespace rv::workers
