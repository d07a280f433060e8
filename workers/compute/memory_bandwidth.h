#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "workers/devices/stopping.h"

namespace rv::workers {

/// The four kernels of STREAM (McCalpin 1995) on arrays of doubles: c = a, c = s·a, c = a + b, c = a + s·b. Here every
/// kernel reads only a and b and writes only c, so that the result does not depend on earlier kernels.
enum class StreamKernel { copy, scale, add, triad };

inline constexpr StreamKernel all_stream_kernels[] = {StreamKernel::copy, StreamKernel::scale, StreamKernel::add,
                                                      StreamKernel::triad};

std::string_view stream_kernel_name(StreamKernel kernel);

/// Arrays that one pass moves, counted as in STREAM: each read and each write once, without write-allocate.
constexpr int arrays_moved(StreamKernel kernel) {
  return kernel == StreamKernel::copy || kernel == StreamKernel::scale ? 2 : 3;
}

/// The factor s. It is not a power of two, so the product rounds.
inline constexpr double stream_factor = 3.1;

/// The three arrays a, b and c in the memory of one device. Errors are exceptions.
class StreamArrays {
 public:
  virtual ~StreamArrays() = default;
  virtual std::size_t bytes() const = 0;  ///< of one array
  /// Runs the kernel `repeats` times over the whole arrays and returns the total seconds.
  virtual double run(StreamKernel kernel, int repeats) = 0;
  virtual void poison() = 0;  ///< overwrites c with NaN
  /// Returns the number of elements of c that differ in any bit from the kernel's result on the generated inputs.
  virtual std::uint64_t wrong_elements(StreamKernel kernel) = 0;
};

std::unique_ptr<StreamArrays> cpu_stream_arrays(std::size_t bytes);

enum class CopyDirection { to_device, to_host };

/// A buffer in pinned host memory, one in device memory, and the link between them.
class HostLink {
 public:
  virtual ~HostLink() = default;
  virtual std::size_t bytes() const = 0;
  /// Copies the whole buffer and returns the seconds, measured on the device.
  virtual double copy(CopyDirection direction) = 0;
  /// Copies eight bytes and returns the seconds until the host has waited for it, on the host's clock.
  virtual double small_copy(CopyDirection direction) = 0;
  /// Copies random words to the device and back, and returns how many came back different.
  virtual std::uint64_t wrong_words() = 0;
};

struct Speed {
  double median = 0;
  double spread = 0;  ///< median absolute deviation, in the same unit
  std::size_t samples = 0;
};

/// In GB/s (10⁹ bytes): arrays moved · bytes / seconds.
Speed measure_stream(StreamArrays& arrays, StreamKernel kernel, const StoppingRule::Limits& limits);
/// In GB/s (10⁹ bytes).
Speed measure_copy(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits);
/// In microseconds.
Speed measure_latency(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits);

}  // namespace rv::workers
