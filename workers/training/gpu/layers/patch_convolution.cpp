#include "workers/training/gpu/layers/patch_convolution.h"

#include "workers/training/gpu/kernels/convolution/patch_kernels.h"

namespace rv::workers {
namespace {

using Direction = CudnnGraph::Direction;

PatchShape shape_of(const GpuStep& step, const Layer& layer) {
  const auto &in = step.network.shape(layer.in), &out = step.network.shape(layer.out);
  return {in.n,          in.h,  in.w,  in.c, step.network.image_channels, layer.kernel, layer.stride,
          layer.padding, out.h, out.w, out.c};
}

class PatchConvolution : public ConvolutionByProducts {
 public:
  static constexpr std::size_t for_products = std::size_t{32} << 20;  ///< cuBLASLt's workspace

  PatchConvolution(const GpuStep& step, const PatchShape& shape, bool forward)
      : step_(step),
        shape_(shape),
        forward_(forward),
        parts_(forward ? 1
                       : sum_parts(std::int64_t{(shape.row() + 127) / 128} * ((shape.filters + 127) / 128),
                                   shape.positions())),
        product_(step.libraries->lt, step.libraries->lt_handle, step.request.precision, product_shape(), for_products) {
  }

  std::size_t bytes() const { return static_cast<std::size_t>(end()) * sizeof(float) + for_products; }

  std::size_t ways() const override { return product_.algorithms(); }
  void choose(std::size_t way) override { product_.choose(way); }

  void run(const ConvolutionTensors& at, cudaStream_t stream) const override {
    auto* const filters = static_cast<float*>(step_.workspace);
    auto* const patches = filters + filters_room();
    auto* const rest = filters + end();
    gather_patches(shape_, static_cast<const float*>(at.x), patches, stream);
    if (forward_) {
      gather_filters(shape_, static_cast<const float*>(at.w), filters, stream);
      product_.run(1, filters, patches, 0, const_cast<void*>(at.y), rest, stream);
    } else {
      product_.run(1, patches, at.y, 0, filters, rest, stream);
      scatter_filters(shape_, parts_, filters, static_cast<float*>(const_cast<void*>(at.w)), stream);
    }
  }

 private:
  ProductShape product_shape() const {
    const std::int64_t row = shape_.row(), filters = shape_.filters, positions = shape_.positions();
    if (forward_) return {filters, positions, row, true, false, row, row, filters};
    const auto part = positions / parts_;
    return {row, filters, part, false, true, row, filters, row, parts_, part * row, part * filters, row * filters};
  }
  /// In floats; matrices begin at multiples of 256 bytes.
  static std::int64_t room(std::int64_t floats) { return (floats + 63) / 64 * 64; }
  std::int64_t filters_room() const { return room(std::int64_t{parts_} * shape_.filters * shape_.row()); }
  std::int64_t end() const { return filters_room() + room(shape_.positions() * shape_.row()); }

  const GpuStep& step_;
  PatchShape shape_;
  bool forward_;
  int parts_;  ///< parts of the positions, for the filters' gradients
  CublasProduct product_;
};

}  // namespace

std::unique_ptr<ConvolutionByProducts> patch_convolution(const GpuStep& step, const Layer& layer, Direction direction) {
  if (layer.in != step.network.input || step.type != GpuType::fp32 || direction == Direction::data) return nullptr;
  auto made = std::make_unique<PatchConvolution>(step, shape_of(step, layer), direction == Direction::forward);
  if (made->bytes() > step.workspace_bytes) return nullptr;
  return made;
}

}  // namespace rv::workers
