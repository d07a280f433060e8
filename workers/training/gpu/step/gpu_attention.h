#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workers/training/gpu/libraries/cudnn_graph.h"
#include "workers/training/gpu/libraries/gpu_libraries.h"

namespace rv::workers {

/// Causal scaled dot-product attention in one pass (Dao et al. 2022), by cuDNN. Query, key and value are side by side
/// in one tensor of n × length × 3 · heads · width, and so are their gradients.
struct AttentionShape {
  std::int64_t n = 1, length = 1, heads = 1, width = 64;
  double kept = 1;  ///< kept share of the weights; 1: no dropout
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
/// Gives the same bits every time: query gradients are not added atomically.
AttentionBackward attention_backward(CudnnGraph& graph, const AttentionShape& shape);

/// The memory of the two passes besides their tensors, in bytes per sample; it can be gigabytes in total.
struct AttentionWorkspace {
  bool possible = false;  ///< cuDNN supports both passes
  double forward = 0, backward = 0;
  std::string refusal;   ///< otherwise, cuDNN's last message
  bool kernels = false;  ///< rv's own kernels support it; they need no extra memory
};
/// The memory with rv's own kernels on the current device; nothing if they do not support it.
std::optional<AttentionWorkspace> workspace_of_kernels(const AttentionShape& shape);
/// The minimum memory of cuDNN's plans, independent of `shape.n`. Asks cuDNN once, which takes about a second.
AttentionWorkspace attention_workspace(const GpuLibraries& libraries, AttentionShape shape);

}  // namespace rv::workers
