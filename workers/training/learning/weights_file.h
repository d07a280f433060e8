#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "workers/training/network/network.h"

namespace rv::workers {

/// What a training begins with: the arrays of all parameters and of all running statistics.
struct Weights {
  std::vector<float> parameters, running;
};

/// From a safetensors file with PyTorch's names and layouts: what state_dict() of torchvision's resnet18 and resnet50,
/// or of an nn.Embedding, nn.TransformerEncoder and nn.Linear, has (docs/training.md). num_batches_tracked may be
/// there and is not used. Throws std::runtime_error that names the tensor that is missing, left over or of another
/// shape.
Weights read_weights(const std::filesystem::path& path, const Network& network);

/// The same file of these.
void write_weights(const std::filesystem::path& path, const Network& network, std::span<const float> parameters,
                   std::span<const float> running);

}  // namespace rv::workers
