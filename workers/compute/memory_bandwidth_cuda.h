#pragma once

#include <memory>

#include "workers/compute/memory_bandwidth.h"

namespace rv::workers {

/// Both on the current CUDA device. They throw what CUDA says.
std::unique_ptr<StreamArrays> cuda_stream_arrays(std::size_t bytes);
std::unique_ptr<HostLink> cuda_host_link(std::size_t bytes);

}  // namespace rv::workers
