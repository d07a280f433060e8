#pragma once

#include <memory>

#include "workers/compute/memory_bandwidth.h"

namespace rv::workers {

/// Both allocate on the current CUDA device, and throw std::runtime_error with CUDA's message.
std::unique_ptr<StreamArrays> cuda_stream_arrays(std::size_t bytes);
std::unique_ptr<HostLink> cuda_host_link(std::size_t bytes);

}  // namespace rv::workers
