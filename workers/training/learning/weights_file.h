#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "workers/training/network/network.h"

namespace rv::workers {

/// Initial weights: the arrays of all parameters and of all running statistics.
struct Weights {
  std::vector<float> parameters, running;
};

/// Reads weights from a safetensors file with PyTorch's names and layouts: those of state_dict() of torchvision's
/// resnet18 and resnet50, or of an nn.Embedding, nn.TransformerEncoder and nn.Linear (docs/training.md).
/// num_batches_tracked is ignored. Throws std::runtime_error that names a tensor that is missing, unknown or has
/// another shape.
Weights read_weights(const std::filesystem::path& path, const Network& network);

/// Writes weights to such a file.
void write_weights(const std::filesystem::path& path, const Network& network, std::span<const float> parameters,
                   std::span<const float> running);

}  // namespace rv::workers
