#pragma once

#include <memory>

#include "workers/training/gpu/layers/convolution_by_products.h"

namespace rv::workers {

/// A 3 × 3 convolution with stride 1 and padding 1 in fp32 by Winograd's F(2×2, 3×3): sixteen products between
/// transformed patches and transformed filters, with 4 multiplications instead of 9. Its rounding error is a few times
/// that of a plain sum in fp32, too much for shorter types. Null for any other convolution, and if the step's workspace
/// is too small.
std::unique_ptr<ConvolutionByProducts> winograd_convolution(const GpuStep& step, const Layer& layer,
                                                            CudnnGraph::Direction direction);

}  // namespace rv::workers
