#pragma once

#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/convolution/exact_convolution.h"
#include "workers/training/gpu/layers/convolution_by_products.h"

namespace rv::workers {

/// A convolution of random numbers in fp32, which tells how exact a way to compute it is. It fills the memory of the
/// tensors that are read, and leaves that of the weights zero. The step and the tensors must live longer.
class RandomConvolution {
 public:
  RandomConvolution(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction,
                    const ConvolutionTensors& at);
  ~RandomConvolution();
  RandomConvolution(const RandomConvolution&) = delete;
  RandomConvolution& operator=(const RandomConvolution&) = delete;

  /// Of what has been computed last: the root mean square of its differences from sums in fp64, at a sample of places,
  /// over that of the sums. Not a number where the result has one that is none.
  double error();

 private:
  static constexpr int samples = 256;

  cudaStream_t stream_;
  ConvolutionShape shape_;
  ConvolutionResult result_;
  ConvolutionTensors at_;
  DeviceMemory exact_{samples * sizeof(double)}, taken_{samples * sizeof(float)};
  std::vector<double> expected_ = std::vector<double>(samples);
  std::vector<float> computed_ = std::vector<float>(samples);
};

}  // namespace rv::workers
