#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workers/training/gpu/libraries/cudnn_graph.h"
#include "workers/training/gpu/libraries/gpu_product.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// The plans of one cuDNN graph, and the one that the tuner chose.
struct TunedPlans {
  std::vector<CudnnPlan> plans;
  std::size_t chosen = 0;
};

/// Enqueues the chosen plan.
void run_chosen(const GpuStep& step, const TunedPlans& plans, const std::vector<CudnnPointer>& pointers,
                void* workspace, cudaStream_t stream);

/// A product by cuBLASLt's fastest algorithm. Null in a rehearsal, and if the library does not support this epilogue.
std::shared_ptr<CublasProduct> tuned_product(GpuStep& step, const std::string& what, const ProductShape& shape,
                                             const void* a, const void* b, float beta, void* d);

}  // namespace rv::workers
