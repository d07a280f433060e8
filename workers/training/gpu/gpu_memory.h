#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace rv::workers {

/// A training step does not fit the GPU.
class DoesNotFit : public std::runtime_error {
 public:
  DoesNotFit(std::size_t needed, std::size_t free);
  std::size_t needed, free;
};

/// The memory of one training, freed with its owner. What one gradient leaves another takes: everything that uses it is
/// on one stream, or waited for. Rehearsed, it hands out addresses of nothing and counts.
class GpuMemory {
 public:
  explicit GpuMemory(bool rehearsal) : rehearsal_(rehearsal) {}
  ~GpuMemory();
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;

  /// Zeroed, for as long as the owner lives.
  void* keep(std::size_t bytes);
  template <class T>
  T* keep_array(std::size_t count) {
    return static_cast<T*>(keep(count * sizeof(T)));
  }

  /// For as long as somebody holds it.
  using Lease = std::shared_ptr<void>;
  Lease lend(std::size_t bytes);

  bool rehearsal() const { return rehearsal_; }
  std::size_t total() const { return total_; }

 private:
  struct Free {
    void* data;
    std::size_t bytes;
  };

  bool rehearsal_;
  std::size_t total_ = 0;
  std::vector<void*> owned_;
  std::shared_ptr<std::vector<Free>> free_ = std::make_shared<std::vector<Free>>();
};

}  // namespace rv::workers
