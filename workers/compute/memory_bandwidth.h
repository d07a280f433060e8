#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "workers/devices/stopping.h"

namespace rv::workers {

/// STREAM's four (McCalpin 1995), on arrays of doubles: c = a, c = s·a, c = a + b, c = a + s·b. Unlike STREAM's, every
/// kernel reads the inputs a and b and writes c alone, so that the result does not depend on what ran before.
enum class StreamKernel { copy, scale, add, triad };

inline constexpr StreamKernel all_stream_kernels[] = {StreamKernel::copy, StreamKernel::scale, StreamKernel::add,
                                                      StreamKernel::triad};

std::string_view stream_kernel_name(StreamKernel kernel);

/// Arrays that one pass moves, counted as STREAM does: every read and every write once, no write-allocate.
constexpr int arrays_moved(StreamKernel kernel) {
  return kernel == StreamKernel::copy || kernel == StreamKernel::scale ? 2 : 3;
}

/// The factor s; not a power of two, so that the product rounds.
inline constexpr double stream_factor = 3.1;

/// Three arrays in the memory of one device. Errors are exceptions.
class StreamArrays {
 public:
  virtual ~StreamArrays() = default;
  virtual std::size_t bytes() const = 0;  ///< of one array
  /// Runs the kernel `repeats` times over the whole arrays; seconds altogether.
  virtual double run(StreamKernel kernel, int repeats) = 0;
  virtual void poison() = 0;  ///< overwrites c with NaN
  /// Elements of c that are not, to the last bit, what the kernel gives on the inputs as they were generated.
  virtual std::uint64_t wrong_elements(StreamKernel kernel) = 0;
};

std::unique_ptr<StreamArrays> cpu_stream_arrays(std::size_t bytes);

enum class CopyDirection { to_device, to_host };

/// Pinned host memory and device memory, and the link between them.
class HostLink {
 public:
  virtual ~HostLink() = default;
  virtual std::size_t bytes() const = 0;
  /// One whole copy, timed on the device; seconds.
  virtual double copy(CopyDirection direction) = 0;
  /// One copy of eight bytes, from the call to the end of the wait for it, on the host's clock; seconds.
  virtual double small_copy(CopyDirection direction) = 0;
  /// Sends random words there and back; how many came back different.
  virtual std::uint64_t wrong_words() = 0;
};

struct Speed {
  double median = 0;
  double spread = 0;  ///< median absolute deviation, in the same unit
  std::size_t samples = 0;
};

/// GB/s, 10⁹ bytes: arrays moved · bytes / seconds.
Speed measure_stream(StreamArrays& arrays, StreamKernel kernel, const StoppingRule::Limits& limits);
/// GB/s, 10⁹ bytes.
Speed measure_copy(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits);
/// Microseconds.
Speed measure_latency(HostLink& link, CopyDirection direction, const StoppingRule::Limits& limits);

}  // namespace rv::workers
