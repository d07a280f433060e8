#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace rv::workers {

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
  /// What the driver takes for it: large pieces are pages of their own, small ones share them.
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
