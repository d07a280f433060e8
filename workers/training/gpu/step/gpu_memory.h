#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace rv::workers {

/// The GPU memory of one training, freed with its owner. Memory that one gradient releases is reused for another: all
/// users are on one stream, or wait for each other. In a rehearsal it only counts, and returns addresses without
/// memory.
class GpuMemory {
 public:
  explicit GpuMemory(bool rehearsal) : rehearsal_(rehearsal) {}
  ~GpuMemory();
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;

  /// Allocates zeroed memory for the lifetime of this object.
  void* keep(std::size_t bytes);
  template <class T>
  T* keep_array(std::size_t count) {
    return static_cast<T*>(keep(count * sizeof(T)));
  }

  /// Memory that is released with the last copy of the lease.
  using Lease = std::shared_ptr<void>;
  Lease lend(std::size_t bytes);

  bool rehearsal() const { return rehearsal_; }
  std::size_t total() const { return total_; }
  /// The memory that the driver uses for it: large allocations have their own pages, small ones share pages.
  std::size_t taken() const { return pages_ + (small_ + page - 1) / page * page; }

 private:
  struct Free {
    void* data;
    std::size_t bytes;
  };

  static constexpr std::size_t page = std::size_t{2} << 20;

  bool rehearsal_;
  std::size_t total_ = 0, pages_ = 0, small_ = 0;
  std::vector<void*> owned_;
  std::shared_ptr<std::vector<Free>> free_ = std::make_shared<std::vector<Free>>();
};

}  // namespace rv::workers
