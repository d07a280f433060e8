#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "workers/training/gpu/libraries/cudnn_graph.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// The memory of a convolution's three tensors, or of their gradients. The direction determines which of them is
/// written.
struct ConvolutionTensors {
  const void *x, *w, *y;
};

/// A convolution in one direction as matrix products by cuBLASLt.
class ConvolutionByProducts {
 public:
  ConvolutionByProducts() = default;
  virtual ~ConvolutionByProducts() = default;
  ConvolutionByProducts(const ConvolutionByProducts&) = delete;
  ConvolutionByProducts& operator=(const ConvolutionByProducts&) = delete;

  /// The number of algorithms.
  virtual std::size_t ways() const = 0;
  virtual void choose(std::size_t way) = 0;
  virtual void run(const ConvolutionTensors& at, cudaStream_t stream) const = 0;
};

/// Creates the products of a convolution: a 1 × 1 without stride is one product; the first one of a network
/// (patch_convolution.h); in fp32 those of 3 × 3 (winograd_convolution.h). Null for others. The step must outlive it.
std::unique_ptr<ConvolutionByProducts> convolution_by_products(const GpuStep& step, const Layer& layer,
                                                               CudnnGraph::Direction direction);

}  // namespace rv::workers
