#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rv::workers {

/// The numbers of a batch's images. Copies share the same memory, which returns to its pool (batch_memory.h) with the
/// last copy.
class BatchValues {
 public:
  BatchValues() = default;
  BatchValues(std::shared_ptr<float[]> place, std::size_t count) : place_(std::move(place)), count_(count) {}

  /// Allocates `count` zeros.
  void resize(std::size_t count) { *this = {std::make_shared<float[]>(count), count}; }

  std::size_t size() const { return count_; }
  float* data() { return place_.get(); }
  const float* data() const { return place_.get(); }
  float& operator[](std::size_t i) { return place_[static_cast<std::ptrdiff_t>(i)]; }
  const float& operator[](std::size_t i) const { return place_[static_cast<std::ptrdiff_t>(i)]; }
  operator std::span<const float>() const { return {data(), count_}; }

  friend bool operator==(const BatchValues& one, std::span<const float> other) {
    return std::equal(one.data(), one.data() + one.size(), other.begin(), other.end());
  }

 private:
  std::shared_ptr<float[]> place_;
  std::size_t count_ = 0;
};

/// The data of one step of a rank: images (n × h × w × 3, channels innermost) or tokens, and a label for each row of
/// scores.
struct Batch {
  BatchValues values;
  std::vector<int> tokens;
  std::vector<int> labels;
};

}  // namespace rv::workers
