// Memory for large tables that are read here and there: in large pages, where the system has them, such a look misses
// once and not twice.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace protocol {

template <typename T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(std::size_t count) {
    auto* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, count * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { munmap(memory, count * sizeof(T)); }
  bool operator==(const LargePages&) const { return true; }
};

}  // namespace protocol
