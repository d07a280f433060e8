// rv's kernels of attention on a GPU of compute capability 9.0 against the host's in double, dropout included; then
// their times beside cuDNN's. usage: attention_check; prints a line for each, exits 1 if one is off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/workers/gpu/narrow_numbers.h"
#include "workers/training/gpu/kernels/attention/attention_kernels.h"
#include "workers/training/gpu/kernels/warpgroups/warpgroups_here.h"
#include "workers/training/gpu/step/gpu_attention.h"
#include "workers/training/host/host_layers.h"

using namespace rv::workers;

namespace {

constexpr std::uint64_t seed = 5, layer = 3;
constexpr long long step = 7;
int failed = 0;

/// Of one third of each position, or of all where `thirds` is 1.
double off(const std::vector<double>& expected, const std::vector<double>& got, std::size_t width, std::size_t thirds,
           std::size_t third) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i / width % thirds != third) continue;
    difference += (expected[i] - got[i]) * (expected[i] - got[i]);
    whole += expected[i] * expected[i];
  }
  // Of one key alone the slopes are nought, but for what is rounded.
  return std::sqrt(difference / (whole + 0.1 * static_cast<double>(expected.size() / thirds)));
}

void check(GpuType type, int samples, int length, int heads, double dropped) {
  const Dropout dropout{dropout_kept(dropped)};
  const TensorShape out{samples, length, 1, heads * AttentionSizes::width};
  const auto width = static_cast<std::size_t>(out.c), count = out.count(), weights = count / 64 * out.h;
  const Numbers qkv(type, 3 * count, 1), dy(type, count, 2);
  std::vector<double> y(count), w(weights), dqkv(3 * count);
  const auto key = dropout_key(seed, 0, layer, step);
  HostLayers<double>::attention(out, heads, dropout, key, qkv.read.data(), y.data(), w.data());
  HostLayers<double>::attention_back(out, heads, dropout, key, qkv.read.data(), w.data(), dy.read.data(), dqkv.data());

  const DeviceMemory gpu_qkv(6 * count), gpu_y(2 * count), gpu_dy(2 * count), gpu_dqkv(6 * count),
      statistics(count / 64 * sizeof(float)), kept(attention_kept_words({type, samples, length, heads}) * 4),
      columns(attention_column_floats({type, samples, length, heads}) * 4), column_sums(3 * width * sizeof(float)),
      sums(count / 64 * sizeof(float)), state(sizeof(StepState));
  put(gpu_qkv.as(), qkv.stored.data(), 6 * count);
  put(gpu_dy.as(), dy.stored.data(), 2 * count);
  const StepState now{step, 1, 0, 0, 0};
  put(state.as(), &now, sizeof now);
  const GpuDropout how{dropout.kept, dropout_base(seed, 0), layer};
  const AttentionSizes sizes{type, samples, length, heads};
  std::vector<double> got_y, got_dqkv;
  bool same = true;
  for (int repeat = 0; repeat < 3; ++repeat) {
    cuda_call(cudaMemset(gpu_y.as(), 0xff, 2 * count), "poison");
    cuda_call(cudaMemset(gpu_dqkv.as(), 0xff, 6 * count), "poison");
    causal_attention(sizes, gpu_qkv.as(), how, state.as<StepState>(), gpu_y.as(), statistics.as<float>(),
                     kept.as<std::uint32_t>(), nullptr);
    causal_attention_back(sizes, gpu_qkv.as(), gpu_y.as(), gpu_dy.as(), statistics.as<float>(), how,
                          kept.as<std::uint32_t>(), sums.as<float>(), gpu_dqkv.as(), columns.as<float>(),
                          column_sums.as<float>(), nullptr);
    cuda_call(cudaDeviceSynchronize(), "compute attention");
    auto again_y = widened(type, gpu_y, count), again = widened(type, gpu_dqkv, 3 * count);
    same = same && (repeat == 0 || (again_y == got_y && again == got_dqkv));
    got_y = std::move(again_y);
    got_dqkv = std::move(again);
  }
  const double offs[]{off(y, got_y, width, 1, 0), off(dqkv, got_dqkv, width, 3, 0), off(dqkv, got_dqkv, width, 3, 1),
                      off(dqkv, got_dqkv, width, 3, 2)};
  // What comes out is what is added up.
  const auto got_sums = read(column_sums.as<float>(), 3 * width);
  double most = 0;
  for (std::size_t c = 0; c < 3 * width; ++c) {
    double sum = 0, size = 0;
    for (std::size_t i = c; i < got_dqkv.size(); i += 3 * width) {
      sum += got_dqkv[i];
      size += std::abs(got_dqkv[i]);
    }
    most = std::max(most, std::abs(sum - static_cast<double>(got_sums[c])) / (size + 1e-3));
  }
  const double limit = type == GpuType::fp16 ? 2e-3 : 1.2e-2;
  const bool ok =
      same && most < 1e-5 && std::all_of(std::begin(offs), std::end(offs), [&](double one) { return one < limit; });
  if (!ok) ++failed;
  fmt::print(
      "{} {} {} samples of {}, {} heads, dropout {}: off {:.1e}, gradients of queries {:.1e}, keys {:.1e}, values "
      "{:.1e}, sums {:.1e}{}\n",
      ok ? "ok    " : "NOT OK", type == GpuType::fp16 ? "fp16" : "bf16", samples, length, heads, dropped, offs[0],
      offs[1], offs[2], offs[3], most, same ? "" : "; other bits the next time");
}

/// A layer of the Transformer's, here and by cuDNN's fastest plan of both passes.
void time_layer(double dropped) {
  constexpr int samples = 32, length = 511, heads = 16;
  constexpr std::size_t count = std::size_t{samples} * length * heads * 64;
  const Numbers qkv(GpuType::bf16, 3 * count, 1), dy(GpuType::bf16, count, 2);
  const DeviceMemory gpu_qkv(6 * count), gpu_y(2 * count), gpu_dy(2 * count), gpu_dqkv(6 * count),
      statistics(count / 64 * sizeof(float)), sums(count / 64 * sizeof(float)), state(sizeof(StepState)),
      kept(attention_kept_words({GpuType::bf16, samples, length, heads}) * 4),
      columns(attention_column_floats({GpuType::bf16, samples, length, heads}) * 4),
      column_sums(3 * 64 * heads * sizeof(float)), seeds(2 * sizeof(long long)), workspace(std::size_t{1} << 30);
  put(gpu_qkv.as(), qkv.stored.data(), 6 * count);
  put(gpu_dy.as(), dy.stored.data(), 2 * count);
  cuda_call(cudaMemset(seeds.as(), 1, 2 * sizeof(long long)), "fill");
  cuda_call(cudaMemset(state.as(), 0, sizeof(StepState)), "fill");
  const GpuDropout how{dropout_kept(dropped), 1, 1};
  const AttentionSizes sizes{GpuType::bf16, samples, length, heads};
  const auto there = milliseconds([&] {
    causal_attention(sizes, gpu_qkv.as(), how, state.as<StepState>(), gpu_y.as(), statistics.as<float>(),
                     kept.as<std::uint32_t>(), nullptr);
  });
  const auto back = milliseconds([&] {
    causal_attention_back(sizes, gpu_qkv.as(), gpu_y.as(), gpu_dy.as(), statistics.as<float>(), how,
                          kept.as<std::uint32_t>(), sums.as<float>(), gpu_dqkv.as(), columns.as<float>(),
                          column_sums.as<float>(), nullptr);
  });

  const GpuLibraries libraries;
  const AttentionShape shape{samples, length, heads, 64, 1 - dropped, CUDNN_DATA_BFLOAT16};
  const float scale = 0.125F, masked = -1e30F, kept_scale = static_cast<float>(1 / (1 - dropped)),
              share = 1 / kept_scale;
  const auto* const q = gpu_qkv.as<char>();
  auto* const dq = gpu_dqkv.as<char>();
  constexpr std::size_t third = 2 * 64 * heads;
  const auto least = [&](CudnnGraph& graph, std::vector<CudnnPointer> pointers, std::int64_t seed_at,
                         std::int64_t offset_at, std::int64_t kept_at) {
    if (seed_at >= 0) {
      pointers.insert(pointers.end(),
                      {{seed_at, seeds.as()}, {offset_at, seeds.as<long long>() + 1}, {kept_at, &kept_scale}});
    }
    double best = INFINITY;
    for (const auto& plan : graph.plans({libraries.cudnn_handle, {}}, {true, 6, std::int64_t{1} << 30})) {
      best = std::min(best, milliseconds([&] {
                        execute(libraries.cudnn, libraries.cudnn_handle, plan, pointers, workspace.as());
                      }));
    }
    return best;
  };
  CudnnGraph forward(libraries.cudnn), backward(libraries.cudnn);
  const auto f = attention_forward(forward, shape);
  const auto cudnn_there = least(forward,
                                 {{f.q, q},
                                  {f.k, q + third},
                                  {f.v, q + 2 * third},
                                  {f.y, gpu_y.as()},
                                  {f.statistics, statistics.as()},
                                  {f.scale, &scale},
                                  {f.masked, &masked}},
                                 f.seed, f.offset, f.kept_scale);
  const auto b = attention_backward(backward, shape);
  const auto cudnn_back = least(backward,
                                {{b.q, q},
                                 {b.k, q + third},
                                 {b.v, q + 2 * third},
                                 {b.y, gpu_y.as()},
                                 {b.dy, gpu_dy.as()},
                                 {b.dq, dq},
                                 {b.dk, dq + third},
                                 {b.dv, dq + 2 * third},
                                 {b.statistics, statistics.as()},
                                 {b.sums, sums.as()},
                                 {b.scale, &scale},
                                 {b.masked, &masked},
                                 {b.share, &share}},
                                b.seed, b.offset, b.kept_scale);
  fmt::print(
      "bf16, {} samples of {}, {} heads, dropout {}: forward {:.3f} ms (cuDNN {:.3f}, ratio {:.2f}), backward {:.3f} "
      "ms "
      "(cuDNN {:.3f}, ratio {:.2f})\n",
      samples, length, heads, dropped, there, cudnn_there, cudnn_there / there, back, cudnn_back, cudnn_back / back);
}

}  // namespace

int main() {
  if (!warpgroups_run_here()) {
    fmt::print("skipped: this GPU is not of compute capability 9.0\n");
    return 77;
  }
  for (const auto type : {GpuType::bf16, GpuType::fp16}) {
    for (const double dropped : {0.1, 0.5}) {
      for (const int length : {1, 5, 64, 65, 100, 128, 130, 200, 300, 511}) check(type, 2, length, 3, dropped);
    }
  }
  time_layer(0.1);
  return failed == 0 ? 0 : 1;
}
