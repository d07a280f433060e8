#include "workers/compute/memory_bandwidth.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

TEST_CASE("every stream kernel writes every element right") {
  const auto arrays = cpu_stream_arrays(1 << 16);
  for (const auto kernel : all_stream_kernels) {
    CAPTURE(stream_kernel_name(kernel));
    arrays->poison();
    CHECK(arrays->wrong_elements(kernel) == arrays->bytes() / 8);
    arrays->run(kernel, 1);
    CHECK(arrays->wrong_elements(kernel) == 0);
  }
  // What triad wrote is not a copy.
  CHECK(arrays->wrong_elements(StreamKernel::copy) > 0);
}

TEST_CASE("bandwidth counts each array read or written once") {
  /// Memory that takes one millisecond per pass.
  class Steady : public StreamArrays {
   public:
    std::size_t bytes() const override { return 1000000; }
    double run(StreamKernel, int repeats) override { return repeats * 1e-3; }
    void poison() override {}
    std::uint64_t wrong_elements(StreamKernel) override { return 0; }
  } arrays;
  CHECK(measure_stream(arrays, StreamKernel::copy, {}).median == doctest::Approx(2));
  CHECK(measure_stream(arrays, StreamKernel::scale, {}).median == doctest::Approx(2));
  CHECK(measure_stream(arrays, StreamKernel::add, {}).median == doctest::Approx(3));
  CHECK(measure_stream(arrays, StreamKernel::triad, {}).median == doctest::Approx(3));
}
