#pragma once

#include <memory>

#include "workers/training/gpu/layers/convolution_by_products.h"

namespace rv::workers {

/// The first convolution of a network in fp32 and tf32 as a product with the patches of its input: the input has three
/// channels, and cuDNN would also compute the padding channels. Null for any other convolution, for the gradient of its
/// input, which is not needed, and if the step's workspace is too small.
std::unique_ptr<ConvolutionByProducts> patch_convolution(const GpuStep& step, const Layer& layer,
                                                         CudnnGraph::Direction direction);

}  // namespace rv::workers
