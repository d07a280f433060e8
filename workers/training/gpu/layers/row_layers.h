#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Layers with one kernel per pass.
void add_embedding(GpuStep& step, const Layer& layer);
void add_embedding_back(GpuStep& step, const Layer& layer);
/// In place.
void add_dropout(GpuStep& step, std::size_t index);
void add_dropout_back(GpuStep& step, std::size_t index);
/// LayerNorm(residual + dropout(in)).
void add_residual_norm(GpuStep& step, std::size_t index);
void add_residual_norm_back(GpuStep& step, std::size_t index);
void add_mean_pool(GpuStep& step, const Layer& layer);
void add_mean_pool_back(GpuStep& step, const Layer& layer);
/// The mean cross-entropy; the scores become their gradients.
void add_loss(GpuStep& step);

}  // namespace rv::workers
