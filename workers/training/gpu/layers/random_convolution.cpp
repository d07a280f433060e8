#include "workers/training/gpu/layers/random_convolution.h"

#include <cmath>

namespace rv::workers {
namespace {

ConvolutionShape shape_of(const GpuStep& step, const Layer& layer) {
  const auto &in = step.network.shape(layer.in), &out = step.network.shape(layer.out);
  return {in.n, in.h, in.w, in.c, out.h, out.w, out.c, layer.kernel, layer.stride, layer.padding};
}

ConvolutionResult result_of(CudnnGraph::Direction direction) {
  if (direction == CudnnGraph::Direction::forward) return ConvolutionResult::y;
  return direction == CudnnGraph::Direction::data ? ConvolutionResult::x : ConvolutionResult::w;
}

float* floats(const void* tensor) {
  return static_cast<float*>(const_cast<void*>(tensor));
}

template <class Number>
void read(std::vector<Number>& to, const DeviceMemory& from, cudaStream_t stream) {
  cuda_call(cudaMemcpyAsync(to.data(), from.as<void>(), to.size() * sizeof(Number), cudaMemcpyDeviceToHost, stream),
            "read a convolution");
  cuda_call(cudaStreamSynchronize(stream), "check a way to compute a layer");
}

}  // namespace

RandomConvolution::RandomConvolution(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction,
                                     const ConvolutionTensors& at)
    : stream_(step.work.main()), shape_(shape_of(step, layer)), result_(result_of(direction)), at_(at) {
  // Padding channels of an input are zero, and some algorithms leave them out.
  const int filled = layer.in == step.network.input ? step.network.image_channels : shape_.in_channels;
  if (result_ != ConvolutionResult::x) {
    fill_random(floats(at.x), shape_.x_count(), shape_.in_channels, filled, 1, stream_);
  }
  if (result_ != ConvolutionResult::w) {
    fill_random(floats(at.w), shape_.w_count(), shape_.in_channels, filled, 2, stream_);
  }
  if (result_ != ConvolutionResult::y) {
    fill_random(floats(at.y), shape_.y_count(), shape_.out_channels, shape_.out_channels, 3, stream_);
  }
  exact_samples(shape_, result_, floats(at.x), floats(at.w), floats(at.y), samples, exact_.as<double>(), stream_);
  read(expected_, exact_, stream_);
}

RandomConvolution::~RandomConvolution() {
  cudaMemsetAsync(floats(at_.w), 0, static_cast<std::size_t>(shape_.w_count()) * sizeof(float), stream_);
}

double RandomConvolution::error() {
  const auto* const from = result_ == ConvolutionResult::y ? at_.y : result_ == ConvolutionResult::x ? at_.x : at_.w;
  const auto count = result_ == ConvolutionResult::y   ? shape_.y_count()
                     : result_ == ConvolutionResult::x ? shape_.x_count()
                                                       : shape_.w_count();
  take_samples(floats(from), count, samples, taken_.as<float>(), stream_);
  read(computed_, taken_, stream_);
  double differences = 0, squares = 0;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double off = static_cast<double>(computed_[i]) - expected_[i];
    differences += off * off;
    squares += expected_[i] * expected_[i];
  }
  return std::sqrt(differences / squares);
}

}  // namespace rv::workers
