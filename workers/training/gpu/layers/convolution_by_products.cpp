#include "workers/training/gpu/layers/convolution_by_products.h"

#include "workers/training/gpu/layers/patch_convolution.h"
#include "workers/training/gpu/layers/winograd_convolution.h"

namespace rv::workers {
namespace {

/// A 1 × 1 convolution without stride: rows are positions, channels are contiguous.
class PointwiseConvolution : public ConvolutionByProducts {
 public:
  PointwiseConvolution(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction)
      : step_(step),
        direction_(direction),
        product_(step.libraries->lt, step.libraries->lt_handle, step.request.precision,
                 shape_of(step, layer, direction), step.workspace_bytes) {}

  std::size_t ways() const override { return product_.algorithms(); }
  void choose(std::size_t way) override { product_.choose(way); }

  void run(const ConvolutionTensors& at, cudaStream_t stream) const override {
    const auto multiply = [&](const void* a, const void* b, const void* d) {
      product_.run(1, a, b, 0, const_cast<void*>(d), step_.workspace, stream);
    };
    if (direction_ == CudnnGraph::Direction::forward) return multiply(at.w, at.x, at.y);
    if (direction_ == CudnnGraph::Direction::data) return multiply(at.w, at.y, at.x);
    multiply(at.x, at.y, at.w);
  }

 private:
  static ProductShape shape_of(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction) {
    const std::int64_t in = step.network.shape(layer.in).c, out = step.network.shape(layer.out).c;
    const auto rows = static_cast<std::int64_t>(step.network.shape(layer.out).rows());
    if (direction == CudnnGraph::Direction::forward) return {out, rows, in, true, false, in, in, out};
    if (direction == CudnnGraph::Direction::data) return {in, rows, out, false, false, in, out, in};
    return {in, out, rows, false, true, in, out, in};
  }

  const GpuStep& step_;
  CudnnGraph::Direction direction_;
  CublasProduct product_;
};

}  // namespace

std::unique_ptr<ConvolutionByProducts> convolution_by_products(const GpuStep& step, const Layer& layer,
                                                               CudnnGraph::Direction direction) {
  if (layer.kernel == 1 && layer.stride == 1 && layer.padding == 0) {
    return std::make_unique<PointwiseConvolution>(step, layer, direction);
  }
  if (layer.in == step.network.input) return patch_convolution(step, layer, direction);
  return winograd_convolution(step, layer, direction);
}

}  // namespace rv::workers
