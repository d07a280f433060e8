#include "workers/training/gpu/convolution_layer.h"

#include <fmt/format.h>

#include "workers/training/gpu/kernels/norm_kernels.h"
#include "workers/training/gpu/tuned_ways.h"

namespace rv::workers {
namespace {

CudnnGraph::Extents nhwc(std::int64_t h, std::int64_t w, std::int64_t c) {
  return {h * w * c, 1, w * c, c};
}

std::shared_ptr<TunedPlans> convolve(GpuStep& step, const Layer& layer, CudnnGraph::Direction direction,
                                     bool with_statistics = false) {
  auto made = std::make_shared<TunedPlans>();
  if (step.request.rehearsal) return made;
  const auto in = step.network.shape(layer.in), out = step.network.shape(layer.out);
  CudnnGraph graph(step.libraries->cudnn);
  const auto type = cudnn_type(step.type);
  const auto x = graph.tensor({in.n, in.c, in.h, in.w}, nhwc(in.h, in.w, in.c), type);
  const auto w = graph.tensor({out.c, in.c, layer.kernel, layer.kernel}, nhwc(layer.kernel, layer.kernel, in.c), type);
  const auto y = graph.tensor({out.n, out.c, out.h, out.w}, nhwc(out.h, out.w, out.c), type);
  graph.convolution(direction, x, w, y, layer.padding, layer.stride);
  if (with_statistics) {
    const CudnnGraph::Extents column{1, out.c, 1, 1}, strides{out.c, 1, out.c, out.c};
    const auto sums = graph.tensor(column, strides, CUDNN_DATA_FLOAT);
    const auto squares = graph.tensor(column, strides, CUDNN_DATA_FLOAT);
    graph.statistics(y, sums, squares);
  }
  CudnnWish wish;
  wish.tensor_cores = step.request.precision != GpuPrecision::fp32;
  wish.most_workspace = workspace_bytes;
  wish.most = 10;
  made->plans = graph.plans({step.libraries->cudnn_handle, {}}, wish);
  return made;
}

}  // namespace

void add_convolution(GpuStep& step, const Layer& layer) {
  const auto out = step.network.shape(layer.out);
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  LayerState* own = nullptr;
  const Layer* norm = nullptr;
  for (std::size_t i = 0; i < step.network.layers.size(); ++i) {
    if (step.network.layers[i].kind != LayerKind::batch_norm || step.network.layers[i].in != layer.out) continue;
    norm = &step.network.layers[i];
    own = &step.layers[i];
  }
  if (norm == nullptr) throw std::runtime_error("a convolution without a norm behind it is not for GPUs");
  own->statistics = step.memory.keep_array<float>(9 * static_cast<std::size_t>(out.c));
  const NormShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.c};
  const NormMemory memory{own->statistics, step.partial, step.counters};
  float* const sums = own->statistics + 7 * static_cast<std::size_t>(out.c);
  float* const squares = sums + out.c;

  // Statistics of their own, or along with the convolution: whichever is faster. The latter are suspected
  // of giving other bits each time (docs/training.md), though cuDNN does not say so of these plans.
  const auto plan = convolve(step, layer, CudnnGraph::Direction::forward);
  const auto alone = plan->plans.size();
  if (step.type != GpuType::fp32 && !step.request.rehearsal && !step.request.same_bits) {
    const auto fused = convolve(step, layer, CudnnGraph::Direction::forward, true);
    plan->plans.insert(plan->plans.end(), fused->plans.begin(), fused->plans.end());
  }
  const std::vector<CudnnPointer> pointers{{0, step.value(layer.in).data}, {1, step.narrow(layer.weight)}, {2, y}};
  auto more = pointers;
  more.insert(more.end(), {{3, sums}, {4, squares}});
  const auto run = [=, &step, running = step.numbers.running + norm->running, scale = step.wide(norm->weight),
                    shift = step.wide(norm->bias)](cudaStream_t stream) {
    const bool fused = plan->chosen >= alone;
    run_chosen(step, *plan, fused ? more : pointers, step.workspace, stream);
    if (fused) return norm_finish(shape, sums, squares, scale, shift, running, memory, stream);
    norm_statistics(shape, y, scale, shift, running, memory, stream);
  };
  step.work.add("convolution forward", run);
  const auto& in = step.network.shape(layer.in);
  tune(step,
       fmt::format("forward {}x{}x{}x{} to {} by {} stride {}", in.n, in.h, in.w, in.c, out.c, layer.kernel,
                   layer.stride),
       plan, run);
}

void add_convolution_back(GpuStep& step, const Layer& layer) {
  const auto& in = step.network.shape(layer.in);
  auto& back = step.value(layer.out).back;
  const auto dy = back.at(0);
  const auto prepare = [&](CudnnGraph::Direction direction, const std::vector<CudnnPointer>& pointers,
                           const char* name) -> StepWork::Work {
    const auto plan = convolve(step, layer, direction);
    const auto run = [=, &step](cudaStream_t stream) { run_chosen(step, *plan, pointers, step.workspace, stream); };
    tune(step,
         fmt::format("{} {}x{}x{}x{} to {} by {} stride {}", name, in.n, in.h, in.w, in.c,
                     step.network.shape(layer.out).c, layer.kernel, layer.stride),
         plan, run);
    return run;
  };
  step.work.add("convolution weight gradient",
                prepare(CudnnGraph::Direction::weights,
                        {{0, step.value(layer.in).data}, {1, step.narrow_gradient(layer.weight)}, {2, dy.get()}},
                        "weight gradient"));
  if (layer.in == step.network.input) return;
  auto dx = step.memory.lend(step.bytes(in));
  step.work.add("convolution input gradient",
                prepare(CudnnGraph::Direction::data, {{0, dx.get()}, {1, step.narrow(layer.weight)}, {2, dy.get()}},
                        "input gradient"));
  step.value(layer.in).back.push_back(std::move(dx));
}

}  // namespace rv::workers
