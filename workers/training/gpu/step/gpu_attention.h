#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workers/training/gpu/libraries/cudnn_graph.h"
#include "workers/training/gpu/libraries/gpu_libraries.h"

namespace rv::workers {

/// Causal scaled dot-product attention in one pass (Dao et al. 2022), by cuDNN. Query, key and value lie side by side
/// in one tensor of n × length × 3 · heads · width, and so do their gradients.
struct AttentionShape {
  std::int64_t n = 1, length = 1, heads = 1, width = 64;
  double kept = 1;  ///< of the weights; 1: no dropout
  cudnnDataType_t type = CUDNN_DATA_BFLOAT16;

  bool operator==(const AttentionShape&) const = default;
};

struct AttentionForward {
  std::int64_t q, k, v, y, statistics, scale, masked, seed = -1, offset = -1, kept_scale = -1;
};
AttentionForward attention_forward(CudnnGraph& graph, const AttentionShape& shape);

struct AttentionBackward {
  std::int64_t q, k, v, y, dy, dq, dk, dv, statistics, sums, scale, masked, share, seed = -1, offset = -1,
                                                                                   kept_scale = -1;
};
/// The same bits every time: query gradients are not added up atomically.
AttentionBackward attention_backward(CudnnGraph& graph, const AttentionShape& shape);

/// What the two passes take beside their tensors, bytes for each sample; with many samples it is gigabytes.
struct AttentionRoom {
  bool possible = false;  ///< cuDNN has a way for both
  double forward = 0, backward = 0;
  std::string refusal;   ///< where it has none, what it said of its last try
  bool kernels = false;  ///< rv's own kernels have a way, which takes nothing
};
/// Of rv's own kernels on the current device; nothing: they have no way here.
std::optional<AttentionRoom> room_of_kernels(const AttentionShape& shape);
/// The least that one of cuDNN's ways takes, whatever `shape.n` is. cuDNN is asked once, which takes it a second.
AttentionRoom attention_room(const GpuLibraries& libraries, AttentionShape shape);

}  // namespace rv::workers
