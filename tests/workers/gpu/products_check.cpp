// rv's products around a dropout on a GPU of compute capability 9.0 against the host's in double; then their times
// beside cuBLASLt's with its own pass for what is dropped. usage: products_check; prints a line for each, exits 1
// if one is off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/workers/gpu/narrow_numbers.h"
#include "workers/training/gpu/kernels/products/dropped_products.h"
#include "workers/training/gpu/kernels/row_kernels.h"
#include "workers/training/gpu/libraries/gpu_libraries.h"
#include "workers/training/gpu/libraries/gpu_product.h"
#include "workers/training/network/network.h"

using namespace rv::workers;

namespace {

constexpr std::uint64_t seed = 5, layer = 3;
constexpr long long step = 7;
int failed = 0;

double off(const std::vector<double>& expected, const std::vector<double>& got) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += (expected[i] - got[i]) * (expected[i] - got[i]);
    whole += expected[i] * expected[i];
  }
  return std::sqrt(difference / (whole + 1e-12));
}

/// What a check computes with, on both sides.
struct Scene {
  Scene(const DroppedProduct& s, double dropped)
      : sizes(s),
        rows(static_cast<std::size_t>(s.rows)),
        width(static_cast<std::size_t>(s.width)),
        inner(static_cast<std::size_t>(s.inner)),
        dropout{dropout_kept(dropped)},
        x(s.type, rows * inner, 1),
        w(s.type, width * inner, 2),
        bias(s.type, width, 3),
        gpu_x(2 * rows * inner),
        gpu_w(2 * width * inner),
        gpu_bias(2 * width),
        gpu_y(2 * rows * width),
        signs(product_signs_bytes(s.rows, s.width)),
        state(sizeof(StepState)),
        partial(masked_product_floats(s.rows, s.width) * sizeof(float)),
        sums(width * sizeof(float)) {
    put(gpu_x.as(), x.stored.data(), 2 * rows * inner);
    put(gpu_w.as(), w.stored.data(), 2 * width * inner);
    put(gpu_bias.as(), bias.stored.data(), 2 * width);
    const StepState now{step, 1, 0, 0, 0};
    put(state.as(), &now, sizeof now);
  }
  void forward() {
    relu_dropout_product(sizes, gpu_x.as(), gpu_w.as(), gpu_bias.as(), {dropout.kept, dropout_base(seed, 0), layer},
                         state.as<StepState>(), gpu_y.as(), signs.as(), nullptr);
  }
  void backward() {
    masked_product(sizes, gpu_x.as(), gpu_w.as(), signs.as(), static_cast<float>(dropout.scale()), gpu_y.as(),
                   sums.as<float>(), partial.as<float>(), nullptr);
  }

  DroppedProduct sizes;
  std::size_t rows, width, inner;
  Dropout dropout;
  Numbers x, w, bias;
  DeviceMemory gpu_x, gpu_w, gpu_bias, gpu_y, signs, state, partial, sums;
};

/// Runs it three times; false: other bits the next time.
template <class Run>
bool same_bits(const Scene& scene, std::vector<double>& got, const Run& run) {
  bool same = true;
  for (int repeat = 0; repeat < 3; ++repeat) {
    cuda_call(cudaMemset(scene.gpu_y.as(), 0xff, 2 * scene.rows * scene.width), "poison");
    run();
    cuda_call(cudaDeviceSynchronize(), "compute a product");
    auto again = widened(scene.sizes.type, scene.gpu_y, scene.rows * scene.width);
    same = same && (repeat == 0 || again == got);
    got = std::move(again);
  }
  return same;
}

void check(const DroppedProduct& sizes, double dropped) {
  Scene scene(sizes, dropped);
  const auto rows = scene.rows, width = scene.width, inner = scene.inner;
  const auto key = dropout_key(seed, 0, layer, step);
  std::vector<double> y(rows * width), got;
  for (std::size_t i = 0; i < rows * width; ++i) {
    double sum = scene.bias.read[i % width];
    for (std::size_t k = 0; k < inner; ++k) {
      sum += scene.x.read[i / width * inner + k] * scene.w.read[i % width * inner + k];
    }
    const bool kept = dropout_keeps(dropout_bits(key, i), i, scene.dropout.kept);
    y[i] = kept ? std::max(0.0, sum) * scene.dropout.scale() : 0;
  }
  bool same = same_bits(scene, got, [&] { scene.forward(); });
  const double forward_off = off(y, got);
  const auto dropped_now = got;
  std::vector<double> dx(rows * width), sums(width);
  for (std::size_t i = 0; i < rows * width; ++i) {
    if (dropped_now[i] == 0) continue;
    double sum = 0;
    // The same numbers as another matrix: inner × width.
    for (std::size_t k = 0; k < inner; ++k) {
      sum += scene.x.read[i / width * inner + k] * scene.w.read[k * width + i % width];
    }
    dx[i] = sum * scene.dropout.scale();
  }
  same = same_bits(scene, got, [&] { scene.backward(); }) && same;
  const double backward_off = off(dx, got);
  double most = 0;
  const auto got_sums = read(scene.sums.as<float>(), width);
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0, size = 0;
    for (std::size_t i = c; i < got.size(); i += width) {
      sum += got[i];
      size += std::abs(got[i]);
    }
    most = std::max(most, std::abs(sum - static_cast<double>(got_sums[c])) / (size + 1e-3));
  }
  const double limit = sizes.type == GpuType::fp16 ? 5e-4 : 4e-3;
  const bool ok = same && most < 1e-5 && forward_off < limit && backward_off < limit;
  if (!ok) ++failed;
  fmt::print("{} {} {} by {}, sums of {}, dropout {}: off {:.1e}; backward off {:.1e}, sums {:.1e}{}\n",
             ok ? "ok    " : "NOT OK", sizes.type == GpuType::fp16 ? "fp16" : "bf16", rows, width, inner, dropped,
             forward_off, backward_off, most, same ? "" : "; other bits the next time");
}

/// The least that one of cuBLASLt's ways takes.
double least_of(const GpuLibraries& libraries, const ProductShape& shape, const void* a, const void* b, void* d,
                const DeviceMemory& workspace) {
  CublasProduct product(libraries.lt, libraries.lt_handle, GpuPrecision::bf16, shape, std::size_t{1} << 28);
  double best = INFINITY;
  for (std::size_t way = 0; way < product.algorithms(); ++way) {
    product.choose(way);
    best = std::min(best, milliseconds([&] { product.run(1, a, b, 0, d, workspace.as(), nullptr); }));
  }
  return best;
}

/// Those of a Transformer's layer.
void time_layer() {
  constexpr std::int64_t width = 4096, inner = 1024;
  Scene scene({GpuType::bf16, std::int64_t{32} * 511, width, inner}, 0.1);
  const auto rows = scene.sizes.rows;
  const auto there = milliseconds([&] { scene.forward(); });
  const auto back = milliseconds([&] { scene.backward(); });
  const GpuLibraries libraries;
  const DeviceMemory workspace(std::size_t{1} << 28), part(column_partial_floats(width) * sizeof(float)),
      signs(static_cast<std::size_t>(rows * width / 8));
  ProductShape forward{width, rows, inner, true, false, inner, inner, width};
  forward.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  forward.bias = scene.gpu_bias.as();
  const auto product = least_of(libraries, forward, scene.gpu_w.as(), scene.gpu_x.as(), scene.gpu_y.as(), workspace);
  const auto drop = milliseconds([&] {
    drop_rows(GpuType::bf16, rows * width, {scene.dropout.kept, 1, 1}, scene.state.as<StepState>(), scene.gpu_y.as(),
              scene.gpu_y.as(), signs.as<std::uint8_t>(), nullptr);
  });
  const ProductShape backward{width, rows, inner, false, false, width, inner, width};
  const auto gradient = least_of(libraries, backward, scene.gpu_w.as(), scene.gpu_x.as(), scene.gpu_y.as(), workspace);
  const auto mask = milliseconds([&] {
    mask_rows({GpuType::bf16, rows, width}, scene.gpu_y.as(), signs.as<std::uint8_t>(), 1, scene.gpu_y.as(),
              scene.sums.as<float>(), part.as<float>(), nullptr);
  });
  const double flop = 2e-9 * static_cast<double>(rows) * width * inner;
  fmt::print(
      "bf16, {} by {}, sums of {}: forward {:.3f} ms, {:.0f} TFLOP/s (cuBLASLt {:.3f} and {:.3f}, ratio {:.2f}), "
      "backward {:.3f} ms, {:.0f} TFLOP/s (cuBLASLt {:.3f} and {:.3f}, ratio {:.2f})\n",
      rows, width, inner, there, flop / there, product, drop, (product + drop) / there, back, flop / back, gradient,
      mask, (gradient + mask) / back);
}

}  // namespace

int main(int argc, char**) {
  if (!dropped_products_run({GpuType::bf16, 1, 256, 256})) {
    fmt::print("skipped: this GPU is not of compute capability 9.0\n");
    return 77;
  }
  if (argc > 1) {
    time_layer();
    return 0;
  }
  for (const auto type : {GpuType::bf16, GpuType::fp16}) {
    for (const double dropped : {0.1, 0.5}) {
      for (const std::int64_t rows : {1, 64, 100, 129, 300, 2500}) check({type, rows, 256, 256}, dropped);
      check({type, 511, 1024, 512}, dropped);
      check({type, 130, 512, 1024}, dropped);
    }
  }
  time_layer();
  return failed == 0 ? 0 : 1;
}
