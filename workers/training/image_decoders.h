#pragma once

#include <string>
#include <vector>

#include "workers/ranks/peer.h"
#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {

/// What decodes the images of files of a rank's batches.
struct ImageDecoders {
  int threads = 1;  ///< of this rank
  GpuDecoders gpu;  ///< one for each thread; none: the host decodes
  int most = 0;     ///< of `gpu`, on the rank that has most
};

/// `wish`: auto (nvjpeg where all ranks can have it), nvjpeg (or an error that says why not), host. All ranks must call
/// it; rank 0 says why the host decodes where a GPU could. On the current GPU if `on_gpu`.
ImageDecoders image_decoders(Peer& peer, const std::string& wish, bool on_gpu, int threads);

/// Whether GPUs decode: on all ranks or on none, so that all count the same memory. `obstacles`: what each rank has
/// against it; empty: nothing. Throws std::runtime_error where that is what was asked for.
bool all_decode_on_gpus(const std::string& wish, const std::vector<std::string>& obstacles,
                        const std::vector<std::string>& hosts);

}  // namespace rv::workers
