#pragma once

#include <string>
#include <vector>

#include "workers/ranks/peer.h"
#include "workers/training/pictures/gpu_decoder.h"

namespace rv::workers {

/// The decoders of a rank's images.
struct ImageDecoders {
  int threads = 1;  ///< threads of this rank
  GpuDecoders gpu;  ///< one per thread; empty: the host decodes
  int most = 0;     ///< the largest number of `gpu` decoders on a rank
};

/// Creates the decoders. `wish`: auto (nvjpeg if all ranks can use it), nvjpeg (else an error with the reason), or
/// host. All ranks must call it. Rank 0 prints why the host decodes although there is a GPU. Uses the current GPU if
/// `on_gpu`.
ImageDecoders image_decoders(Peer& peer, const std::string& wish, bool on_gpu, int threads);

/// Whether GPUs decode: on all ranks or on none, so that all compute the same memory. `obstacles`: the reason of each
/// rank against it; empty: none. Throws std::runtime_error if `wish` is nvjpeg and a rank has an obstacle.
bool all_decode_on_gpus(const std::string& wish, const std::vector<std::string>& obstacles,
                        const std::vector<std::string>& hosts);

}  // namespace rv::workers
