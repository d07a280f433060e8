#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "workers/compute/memory_bandwidth.h"
#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

class CpuStreamArrays : public StreamArrays {
 public:
  explicit CpuStreamArrays(std::size_t bytes) : a_(bytes / sizeof(double)), b_(a_.size()), c_(a_.size()) {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      a_[i] = random_input(3, i);
      b_[i] = random_input(4, i);
    }
  }

  std::size_t bytes() const override { return a_.size() * sizeof(double); }

  double run(StreamKernel kernel, int repeats) override {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) pass(kernel);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void poison() override { std::fill(c_.begin(), c_.end(), std::numeric_limits<double>::quiet_NaN()); }

  std::uint64_t wrong_elements(StreamKernel kernel) override {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < c_.size(); ++i) {
      const auto a = random_input(3, i), b = random_input(4, i);
      // The product is rounded separately, as in pass(): a fused multiply-add could differ in the last bit.
      const double product = stream_factor * (kernel == StreamKernel::triad ? b : a);
      double expected = a;
      if (kernel == StreamKernel::scale) expected = product;
      if (kernel == StreamKernel::add) expected = a + b;
      if (kernel == StreamKernel::triad) expected = a + product;
      if (std::bit_cast<std::uint64_t>(c_[i]) != std::bit_cast<std::uint64_t>(expected)) ++wrong;
    }
    return wrong;
  }

 private:
  void pass(StreamKernel kernel) {
    const auto n = a_.size();
    const double* const a = a_.data();
    const double* const b = b_.data();
    double* const c = c_.data();
    switch (kernel) {
      case StreamKernel::copy:
        for (std::size_t i = 0; i < n; ++i) c[i] = a[i];
        break;
      case StreamKernel::scale:
        for (std::size_t i = 0; i < n; ++i) c[i] = stream_factor * a[i];
        break;
      case StreamKernel::add:
        for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
        break;
      case StreamKernel::triad:
        for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + stream_factor * b[i];
        break;
    }
  }

  std::vector<double> a_, b_, c_;
};

}  // namespace

std::unique_ptr<StreamArrays> cpu_stream_arrays(std::size_t bytes) {
  return std::make_unique<CpuStreamArrays>(bytes);
}

}  // namespace rv::workers
