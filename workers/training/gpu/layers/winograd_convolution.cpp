#include "workers/training/gpu/layers/winograd_convolution.h"

#include "workers/training/gpu/kernels/convolution/winograd_kernels.h"

namespace rv::workers {
namespace {

using Direction = CudnnGraph::Direction;

/// The products of one direction: matrices per point, and their positions in the step's workspace, in floats.
class Plan {
 public:
  Plan(const GpuStep& step, const Layer& layer, Direction direction)
      : in_(step.network.shape(layer.in).c), out_(step.network.shape(layer.out).c) {
    const auto& image = step.network.shape(layer.in);
    x = {image.n, image.h, image.w, in_};
    y = {image.n, image.h, image.w, out_};
    const auto patches = x.patches();
    if (direction == Direction::weights)
      parts = sum_parts(std::int64_t{winograd_points} * ((in_ + 127) / 128) * ((out_ + 127) / 128), patches);
    first_ = room(winograd_points * std::int64_t{parts} * in_ * out_);
    second_ = first_ + room(winograd_points * patches * (direction == Direction::data ? out_ : in_));
    third_ = second_ + room(winograd_points * patches * (direction == Direction::data ? in_ : out_));
  }

  ProductShape product(Direction direction) const {
    const auto patches = x.patches();
    const std::int64_t in = in_, out = out_, filters = in * out;
    ProductShape shape;
    if (direction == Direction::forward) {
      shape = {out, patches, in, true, false, in, in, out, winograd_points, filters, patches * in, patches * out};
    } else if (direction == Direction::data) {
      shape = {in, patches, out, false, false, in, out, in, winograd_points, filters, patches * out, patches * in};
    } else {
      // The patches of each point, divided into parts: consecutive matrices of equal distance.
      const auto part = patches / parts;
      shape = {in,        out,        part,   false, true, in, out, in, std::int64_t{winograd_points} * parts,
               part * in, part * out, filters};
    }
    return shape;
  }

  std::int64_t filters() const { return 0; }    ///< filters, or the parts of their gradients
  std::int64_t from() const { return first_; }  ///< the transformed patches, which are read
  std::int64_t to() const { return second_; }   ///< the products; in the backward pass the second operand
  std::int64_t end() const { return third_; }

  WinogradImages x{}, y{};
  int parts = 1;  ///< parts of the patches, for the filters' gradients

 private:
  /// Matrices that are begun at multiples of 256 bytes.
  static std::int64_t room(std::int64_t floats) { return (floats + 63) / 64 * 64; }

  int in_, out_;
  std::int64_t first_ = 0, second_ = 0, third_ = 0;
};

class WinogradConvolution : public ConvolutionByProducts {
 public:
  static constexpr std::size_t for_products = std::size_t{32} << 20;  ///< cuBLASLt's workspace

  WinogradConvolution(const GpuStep& step, const Plan& plan, Direction direction)
      : step_(step),
        plan_(plan),
        direction_(direction),
        product_(step.libraries->lt, step.libraries->lt_handle, step.request.precision, plan.product(direction),
                 for_products) {}

  std::size_t ways() const override { return product_.algorithms(); }
  void choose(std::size_t way) override { product_.choose(way); }

  void run(const ConvolutionTensors& at, cudaStream_t stream) const override {
    auto* const memory = static_cast<float*>(step_.workspace);
    auto* const filters = memory + plan_.filters();
    auto* const from = memory + plan_.from();
    auto* const to = memory + plan_.to();
    const auto multiply = [&](const float* a, const float* b, float* d) {
      product_.run(1, a, b, 0, d, memory + plan_.end(), stream);
    };
    const auto images = [](const void* tensor) { return static_cast<float*>(const_cast<void*>(tensor)); };
    if (direction_ == Direction::weights) {
      winograd_input(plan_.x, images(at.x), from, stream);
      winograd_output_back(plan_.y, images(at.y), to, stream);
      multiply(from, to, filters);
      winograd_filters_back(plan_.y.channels, plan_.x.channels, plan_.parts, filters, images(at.w), stream);
      return;
    }
    // The gradient of the input is the same convolution of the output's gradient, with rotated filters.
    const bool back = direction_ == Direction::data;
    winograd_filters(plan_.y.channels, plan_.x.channels, back, images(at.w), filters, stream);
    winograd_input(back ? plan_.y : plan_.x, images(back ? at.y : at.x), from, stream);
    multiply(filters, from, to);
    winograd_output(back ? plan_.x : plan_.y, to, images(back ? at.x : at.y), stream);
  }

 private:
  const GpuStep& step_;
  Plan plan_;
  Direction direction_;
  CublasProduct product_;
};

}  // namespace

std::unique_ptr<ConvolutionByProducts> winograd_convolution(const GpuStep& step, const Layer& layer,
                                                            Direction direction) {
  const bool fits = layer.kernel == 3 && layer.stride == 1 && layer.padding == 1 &&
                    step.network.shape(layer.in).c % 4 == 0 && step.network.shape(layer.out).c % 4 == 0;
  if (!fits || step.request.precision != GpuPrecision::fp32) return nullptr;
  const Plan plan(step, layer, direction);
  const auto bytes = static_cast<std::size_t>(plan.end()) * sizeof(float);
  if (bytes + WinogradConvolution::for_products > step.workspace_bytes) return nullptr;
  return std::make_unique<WinogradConvolution>(step, plan, direction);
}

}  // namespace rv::workers
