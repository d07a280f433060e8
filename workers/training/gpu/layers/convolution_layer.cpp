#include "workers/training/gpu/layers/convolution_layer.h"

#include <fmt/format.h>

#include <algorithm>

#include "workers/training/gpu/kernels/norm_kernels.h"
#include "workers/training/gpu/layers/convolution_by_products.h"
#include "workers/training/gpu/layers/random_convolution.h"
#include "workers/training/gpu/step/least_work.h"
#include "workers/training/gpu/step/tuned_ways.h"

namespace rv::workers {
namespace {

CudnnGraph::Extents nhwc(std::int64_t h, std::int64_t w, std::int64_t c) {
  return {h * w * c, 1, w * c, c};
}

/// The algorithms of a convolution: cuDNN's plans, followed by those as products.
struct Ways {
  TunedPlans cudnn;
  std::unique_ptr<ConvolutionByProducts> products;
  std::size_t chosen = 0;

  std::size_t count() const { return cudnn.plans.size() + (products ? products->ways() : 0); }
  bool by_products() const { return chosen >= cudnn.plans.size(); }
  void choose(std::size_t way) {
    chosen = way;
    if (by_products()) {
      products->choose(way - cudnn.plans.size());
    } else {
      cudnn.chosen = way;
    }
  }
};

std::vector<CudnnPointer> pointers_of(const ConvolutionTensors& at) {
  return {{0, at.x}, {1, at.w}, {2, at.y}};
}

/// A name that is equal for equal convolutions.
std::string name_of(const GpuStep& step, const Layer& layer, const char* what) {
  const auto& in = step.network.shape(layer.in);
  return fmt::format("{} {}x{}x{}x{} to {} by {} stride {}", what, in.n, in.h, in.w, in.c,
                     step.network.shape(layer.out).c, layer.kernel, layer.stride);
}

std::vector<CudnnPlan> cudnn_plans(const GpuStep& step, const Layer& layer, CudnnGraph::Direction direction,
                                   bool with_statistics = false) {
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
  const bool fp32 = step.request.precision == GpuPrecision::fp32;
  CudnnPlanRules wish;
  wish.tensor_cores = !fp32;
  // In fp32 without tensor cores the first proposals may be several times slower than the last.
  wish.fallback = fp32;
  wish.most = fp32 ? 24 : 10;
  wish.most_workspace = static_cast<std::int64_t>(step.workspace_bytes);
  return graph.plans({step.libraries->cudnn_handle, {}}, wish);
}

/// cuDNN takes up to a second for a plan, and most convolutions of a network occur several times.
const std::vector<CudnnPlan>& plans_made_once(GpuStep& step, const std::string& name,
                                              const std::function<std::vector<CudnnPlan>()>& make) {
  const auto known = step.plans.find(name);
  return known != step.plans.end() ? known->second : step.plans.emplace(name, make()).first->second;
}

std::shared_ptr<Ways> ways_of(GpuStep& step, const Layer& layer, CudnnGraph::Direction direction, const char* what) {
  auto made = std::make_shared<Ways>();
  if (step.request.rehearsal) return made;
  made->cudnn.plans =
      plans_made_once(step, name_of(step, layer, what), [&] { return cudnn_plans(step, layer, direction); });
  made->products = convolution_by_products(step, layer, direction);
  return made;
}

/// In fp32 some algorithms are far less exact than others, so choosing only by time would determine the error.
void tune(GpuStep& step, const Layer& layer, CudnnGraph::Direction direction, const char* what,
          const std::shared_ptr<Ways>& ways, const ConvolutionTensors& at, const StepWork::Work& run) {
  if (step.request.rehearsal) return;
  const auto choose = [ways](std::size_t way) { ways->choose(way); };
  const auto name = name_of(step, layer, what);
  if (step.request.precision != GpuPrecision::fp32 || !step.tuner.will_try(name, ways->count())) {
    return step.tuner.tune(name, ways->count(), choose, run, step.work.main());
  }
  RandomConvolution convolution(step, layer, direction, at);
  Exactness exactness{[&] { return convolution.error(); }, ConvolutionErrors::most};
  step.tuner.tune(name, ways->count(), choose, run, step.work.main(), &exactness);
  auto& errors = step.convolution_errors;
  errors.checked += exactness.checked;
  errors.refused += exactness.refused;
  errors.largest = std::max(errors.largest, exactness.chosen);
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

  // Statistics are computed separately or together with the convolution, whichever is faster. The latter are suspected
  // of giving different bits each time (docs/training.md), although cuDNN does not report that for these plans.
  const auto* const what = "forward";
  const auto ways = ways_of(step, layer, CudnnGraph::Direction::forward, what);
  auto& plans = ways->cudnn.plans;
  const auto alone = plans.size();
  if (step.request.precision != GpuPrecision::fp32 && !step.request.rehearsal && !step.request.same_bits) {
    const auto& fused = plans_made_once(step, name_of(step, layer, "forward with statistics"),
                                        [&] { return cudnn_plans(step, layer, CudnnGraph::Direction::forward, true); });
    plans.insert(plans.end(), fused.begin(), fused.end());
  }
  const ConvolutionTensors tensors{step.value(layer.in).data, step.narrow(layer.weight), y};
  auto with_sums = pointers_of(tensors);
  with_sums.insert(with_sums.end(), {{3, sums}, {4, squares}});
  const auto run = [=, &step, running = step.numbers.running + norm->running, scale = step.wide(norm->weight),
                    shift = step.wide(norm->bias)](cudaStream_t stream) {
    if (ways->by_products()) {
      ways->products->run(tensors, stream);
    } else if (ways->chosen < alone) {
      run_chosen(step, ways->cudnn, pointers_of(tensors), step.workspace, stream);
    } else {
      run_chosen(step, ways->cudnn, with_sums, step.workspace, stream);
      return norm_finish(shape, sums, squares, scale, shift, running, memory, stream);
    }
    norm_statistics(shape, y, scale, shift, running, memory, stream);
  };
  step.work.add("convolution forward", run, least_forward(step, layer));
  tune(step, layer, CudnnGraph::Direction::forward, what, ways, tensors, run);
}

void add_convolution_back(GpuStep& step, const Layer& layer) {
  const auto& in = step.network.shape(layer.in);
  const auto dy = step.value(layer.out).back.at(0);
  const auto add = [&](CudnnGraph::Direction direction, const ConvolutionTensors& tensors, const char* name,
                       const LeastWork& least) {
    const auto ways = ways_of(step, layer, direction, name);
    const auto run = [=, &step](cudaStream_t stream) {
      if (ways->by_products()) return ways->products->run(tensors, stream);
      run_chosen(step, ways->cudnn, pointers_of(tensors), step.workspace, stream);
    };
    step.work.add(fmt::format("convolution {}", name), run, least);
    tune(step, layer, direction, name, ways, tensors, run);
  };
  step.comes_narrow(layer.weight);
  add(CudnnGraph::Direction::weights, {step.value(layer.in).data, step.narrow_gradient(layer.weight), dy.get()},
      "weight gradient", least_weight_gradient(step, layer));
  if (layer.in == step.network.input) return;
  auto dx = step.memory.lend(step.bytes(in));
  add(CudnnGraph::Direction::data, {dx.get(), step.narrow(layer.weight), dy.get()}, "input gradient",
      least_input_gradient(step, layer));
  step.value(layer.in).back.push_back(std::move(dx));
}

}  // namespace rv::workers
