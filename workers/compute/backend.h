#pragma once

#include <memory>
#include <string>

#include "workers/compute/gemm.h"
#include "workers/compute/memory_bandwidth.h"
#include "workers/compute/memory_test.h"
#include "workers/devices/device.h"

namespace rv::workers {

/// The workloads of one device. Call everything that uses the device from one thread at a time.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const Device& device() const = 0;
  /// Returns a sentence that says why the device cannot multiply in this type; empty if it can.
  virtual std::string lacks(NumberType type) const = 0;
  virtual std::unique_ptr<Product> product(NumberType type, std::size_t n) = 0;
  virtual std::unique_ptr<StreamArrays> stream_arrays(std::size_t bytes) = 0;
  /// Null on the host: it has no link to itself.
  virtual std::unique_ptr<HostLink> host_link(std::size_t bytes) = 0;
  /// Allocates memory to test: on a GPU nearly all of its free memory, on the host, which has other users, `bytes`.
  virtual std::unique_ptr<MemoryUnderTest> memory(std::size_t bytes) = 0;
};

std::unique_ptr<Backend> cpu_backend();
std::unique_ptr<Backend> cuda_backend(const Device& device);

}  // namespace rv::workers
