#pragma once

#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/convolution/exact_convolution.h"
#include "workers/training/gpu/layers/convolution_by_products.h"

namespace rv::workers {

/// A convolution of random numbers in fp32, to measure how exact an algorithm is. It fills the input tensors, and
/// leaves that of the weights zero. The step and the tensors must outlive it.
class RandomConvolution {
 public:
  RandomConvolution(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction,
                    const ConvolutionTensors& at);
  ~RandomConvolution();
  RandomConvolution(const RandomConvolution&) = delete;
  RandomConvolution& operator=(const RandomConvolution&) = delete;

  /// The relative error of the last result: the root mean square of its differences from fp64 sums, at a sample of
  /// positions, divided by that of the sums. NaN if the result contains NaN.
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
