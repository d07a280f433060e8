#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "workers/compute/gemm.h"
#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

template <class T>
class CpuProduct : public Product {
 public:
  explicit CpuProduct(std::size_t n) : n_(n), a_(n * n), b_(n * n), c_(n * n) {
    for (std::size_t i = 0; i < n * n; ++i) {
      a_[i] = static_cast<T>(random_input(1, i));
      b_[i] = static_cast<T>(random_input(2, i));
    }
  }

  NumberType type() const override { return std::is_same_v<T, double> ? NumberType::fp64 : NumberType::fp32; }
  std::size_t size() const override { return n_; }
  int tune() override { return 1; }

  double run(int repeats) override {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) multiply();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void poison() override { std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN()); }

  Digest digest() override {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    Digest digest;
    for (std::size_t i = 0; i < c_.size(); ++i) {
      digest.checksum += checksum_term(i, std::bit_cast<Bits>(c_[i]));
      if (!std::isfinite(c_[i])) ++digest.not_finite;
    }
    return digest;
  }

  Projection project(std::uint64_t seed) override {
    std::vector<double> x(n_);
    for (std::size_t j = 0; j < n_; ++j) x[j] = random_sign(seed, j);
    return {times(a_, times(b_, x)), times(c_, x)};
  }

  void inputs(std::size_t row, std::size_t column, std::span<double> a, std::span<double> b) const override {
    for (std::size_t k = 0; k < n_; ++k) {
      a[k] = static_cast<T>(random_input(1, row * n_ + k));
      b[k] = static_cast<T>(random_input(2, k * n_ + column));
    }
  }

  double output(std::size_t row, std::size_t column) const override { return c_[row * n_ + column]; }

 private:
  std::vector<double> times(const std::vector<T>& matrix, const std::vector<double>& x) const {
    std::vector<double> result(n_, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) result[i] += static_cast<double>(matrix[i * n_ + j]) * x[j];
    }
    return result;
  }

  /// Computes four rows of C at a time with a panel of B that stays in the L2 cache: each row of the panel is used four
  /// times while it is in L1. The innermost loop runs over contiguous elements, so that the compiler vectorises it.
  void multiply() {
    constexpr std::size_t depth = 128, width = 512;
    std::fill(c_.begin(), c_.end(), T{0});
    for (std::size_t j0 = 0; j0 < n_; j0 += width) {
      const auto j1 = std::min(j0 + width, n_);
      for (std::size_t k0 = 0; k0 < n_; k0 += depth) {
        const auto k1 = std::min(k0 + depth, n_);
        std::size_t i = 0;
        for (; i + 4 <= n_; i += 4) rows<4>(i, j0, j1, k0, k1);
        for (; i < n_; ++i) rows<1>(i, j0, j1, k0, k1);
      }
    }
  }

  template <std::size_t Rows>
  void rows(std::size_t i, std::size_t j0, std::size_t j1, std::size_t k0, std::size_t k1) {
    for (auto k = k0; k < k1; ++k) {
      const T* const b = &b_[k * n_];
      for (std::size_t r = 0; r < Rows; ++r) {
        const T factor = a_[(i + r) * n_ + k];
        T* const c = &c_[(i + r) * n_];
        for (auto j = j0; j < j1; ++j) c[j] += factor * b[j];
      }
    }
  }

  std::size_t n_;
  std::vector<T> a_, b_, c_;  // row-major
};

}  // namespace

std::unique_ptr<Product> cpu_product(NumberType type, std::size_t n) {
  if (type == NumberType::fp64) return std::make_unique<CpuProduct<double>>(n);
  if (type == NumberType::fp32) return std::make_unique<CpuProduct<float>>(n);
  return nullptr;
}

}  // namespace rv::workers
