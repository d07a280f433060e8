#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <vector>

#include "workers/devices/out_of_memory.h"
#include "workers/stress/load.h"

namespace rv::workers {
namespace {

class CpuLoad : public Load {
 public:
  explicit CpuLoad(std::size_t side) : n_(side), a_(n_ * n_), b_(n_ * n_), c_(n_ * n_) {
    const auto scale = load_scale(n_);
    for (std::size_t i = 0; i < n_ * n_; ++i) {
      a_[i] = load_input(1, i, scale);
      b_[i] = load_input(2, i, scale);
    }
  }

  bool operate(const std::function<bool()>& go_on) override {
    if (!multiply(go_on)) return false;
    for (std::size_t i = 0; i < n_ * n_; ++i) c_[i] = (std::tanh(std::max(c_[i], 0.0F)) + a_[i]) * b_[i];
    return true;
  }

  float result(std::size_t row, std::size_t column) override { return c_[row * n_ + column]; }

  void leak(std::size_t bytes) override { leaked_.emplace_back(bytes, 1); }

 private:
  /// A panel of B stays in the L2 cache while all rows of A are processed, four at a time, so that each of its rows is
  /// used four times while it is in L1.
  bool multiply(const std::function<bool()>& go_on) {
    constexpr std::size_t depth = 128, width = 512;
    std::fill(c_.begin(), c_.end(), 0.0F);
    for (std::size_t j = 0; j < n_; j += width) {
      for (std::size_t k = 0; k < n_; k += depth) {
        if (!go_on()) return false;
        panel(j, std::min(j + width, n_), k, std::min(k + depth, n_));
      }
    }
    return true;
  }

  void panel(std::size_t j0, std::size_t j1, std::size_t k0, std::size_t k1) {
    for (std::size_t i = 0; i < n_; i += 4) {
      const auto end = std::min(i + 4, n_);
      for (auto k = k0; k < k1; ++k) {
        const float* const b = &b_[k * n_];
        for (auto row = i; row < end; ++row) {
          const float factor = a_[row * n_ + k];
          float* const c = &c_[row * n_];
          for (auto j = j0; j < j1; ++j) c[j] += factor * b[j];
        }
      }
    }
  }

  std::size_t n_;
  std::vector<float> a_, b_, c_;  // row-major
  std::vector<std::vector<char>> leaked_;
};

}  // namespace

std::unique_ptr<Load> cpu_load(std::size_t side) {
  try {
    return std::make_unique<CpuLoad>(side);
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("allocate the host's memory");
  } catch (const std::length_error&) {
    throw OutOfMemory("allocate the host's memory");
  }
}

}  // namespace rv::workers
