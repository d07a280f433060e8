#pragma once

#include <memory>

#include "workers/training/gpu/layers/convolution_by_products.h"

namespace rv::workers {

/// The first convolution of a network in fp32 and tf32 as a product with what each position of its output is made of:
/// its input has three channels, and cuDNN would compute those that only fill up as well. Null for any other
/// convolution, for the gradient of its input, which nobody needs, and where the step's working memory is too small.
std::unique_ptr<ConvolutionByProducts> patch_convolution(const GpuStep& step, const Layer& layer,
                                                         CudnnGraph::Direction direction);

}  // namespace rv::workers
