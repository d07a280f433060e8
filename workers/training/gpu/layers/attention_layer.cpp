#include "workers/training/gpu/layers/attention_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workers/training/gpu/layers/attention_by_kernels.h"
#include "workers/training/gpu/layers/attention_by_products.h"
#include "workers/training/gpu/step/gpu_attention.h"
#include "workers/training/gpu/step/least_work.h"
#include "workers/training/gpu/step/tuned_ways.h"

namespace rv::workers {
namespace {

/// The maximum number of cuDNN's plans per pass that are compiled and timed.
constexpr int most_tried = 6;

AttentionShape shape_of(const GpuStep& step, const Layer& layer) {
  const auto& out = step.network.shape(layer.out);
  return {out.n, out.h, layer.heads, out.c / layer.heads, layer.dropout.kept / 65536.0, cudnn_type(step.type)};
}

/// The maximum memory of a plan of the backward pass besides the step's workspace: with a large batch, its own sums
/// need most of it. The smallest plan fits; with a small batch others do too. The factor 1.1 is a margin over the
/// memory that attention_workspace() measured with one batch, scaled to another, where network_check permits a
/// difference of 1 %. No measurement is on record for the factor itself, nor for the 64 MiB.
std::int64_t most_backward_workspace(const GpuStep& step, const AttentionShape& shape) {
  const auto sums = shape.n * shape.length * shape.heads * shape.width * static_cast<std::int64_t>(sizeof(float));
  const auto least = static_cast<std::int64_t>(1.1 * step.attention.workspace->backward * static_cast<double>(shape.n));
  return std::max(2 * (static_cast<std::int64_t>(step.workspace_bytes) + sums), least + (std::int64_t{64} << 20));
}

bool by_kernels(GpuStep& step, const AttentionShape& shape) {
  return step.type != GpuType::fp32 && step.attention_workspace(shape).kernels;
}

/// Whether cuDNN supports both passes, and the forward pass fits into the step's workspace, from the memory of one
/// sample. The factor 1.1 is the margin explained above.
bool room_for_cudnn(GpuStep& step, const AttentionShape& shape) {
  if (step.type == GpuType::fp32) return false;
  const auto& workspace = step.attention_workspace(shape);
  return workspace.possible &&
         1.1 * workspace.forward * static_cast<double>(shape.n) <= static_cast<double>(step.workspace_bytes);
}

std::string why_not_fused(const GpuStep& step) {
  const auto& cudnn = step.libraries->cudnn;
  if (!cudnn.without_compiler.empty()) return cudnn.without_compiler;
  const auto& said = step.attention.workspace->refusal;
  return said.empty() ? fmt::format("cuDNN {} has no plan that fits this batch", cudnn.version())
                      : fmt::format("cuDNN {} does not support this attention: {}", cudnn.version(), said);
}

}  // namespace

// A rehearsal is a step that only counts its memory, without using a GPU or a library (GpuRequest::rehearsal). It calls
// these two functions too, so that it counts the same allocations. It creates no plans, tunes nothing, and uses the
// memory of one sample (attention_workspace).

void add_attention(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  if (by_kernels(step, shape_of(step, layer))) return add_attention_by_kernels(step, index);
  const auto out = step.network.shape(layer.out);
  auto& own = step.layers[index];
  int before = 0;
  for (std::size_t i = 0; i < index; ++i) before += step.network.layers[i].kind == LayerKind::attention ? 1 : 0;
  own.seed = step.attention.seeds + std::ptrdiff_t{2} * before;
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  const auto shape = shape_of(step, layer);
  const auto plan = std::make_shared<TunedPlans>();
  AttentionForward t{};
  own.fused = room_for_cudnn(step, shape);
  if (own.fused && !step.request.rehearsal) {
    CudnnGraph graph(step.libraries->cudnn), back(step.libraries->cudnn);
    t = attention_forward(graph, shape);
    const CudnnPlanRules wish{.most = most_tried, .most_workspace = static_cast<std::int64_t>(step.workspace_bytes)};
    plan->plans = graph.plans({step.libraries->cudnn_handle, {}}, wish);
    attention_backward(back, shape);
    const CudnnPlanRules any{.most = 1, .most_workspace = most_backward_workspace(step, shape)};
    own.fused = !plan->plans.empty() && !back.plans({step.libraries->cudnn_handle, {}}, any).empty();
  }
  if (!own.fused) {
    if (step.type != GpuType::fp32 && !step.request.rehearsal) step.attention.slow_since = why_not_fused(step);
    return add_attention_by_products(step, index);
  }
  step.attention.way = "cuDNN, in one pass";
  own.statistics = step.memory.keep_array<float>(out.rows() * static_cast<std::size_t>(layer.heads));
  const auto width = static_cast<std::size_t>(out.c) * gpu_bytes(step.type);
  const auto* const q = static_cast<const char*>(step.value(layer.in).data);
  const auto* const scale = step.attention.scalar(1 / std::sqrt(static_cast<float>(shape.width)));
  const auto* const masked = step.attention.scalar(-1e30F);
  const auto* const kept = step.attention.scalar(static_cast<float>(layer.dropout.scale()));
  std::vector<CudnnPointer> pointers{
      {t.q, q},         {t.k, q + width},  {t.v, q + 2 * width}, {t.y, y}, {t.statistics, own.statistics},
      {t.scale, scale}, {t.masked, masked}};
  if (t.seed >= 0) {
    pointers.insert(pointers.end(), {{t.seed, own.seed}, {t.offset, own.seed + 1}, {t.kept_scale, kept}});
  }
  const auto run = [=, &step](cudaStream_t stream) { run_chosen(step, *plan, pointers, step.workspace, stream); };
  step.work.add("attention forward", run, least_forward(step, layer));
  if (step.request.rehearsal) return;
  step.tuner.tune(
      fmt::format("attention {}x{}x{}", out.n, out.h, out.c), plan->plans.size(),
      [plan](std::size_t way) { plan->chosen = way; }, run, step.work.main());
}

void add_attention_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  auto& own = step.layers[index];
  if (by_kernels(step, shape_of(step, layer))) return add_attention_by_kernels_back(step, index);
  if (!own.fused) return add_attention_by_products_back(step, index);
  const auto out = step.network.shape(layer.out), in = step.network.shape(layer.in);
  const auto dy = step.value(layer.out).back.at(0);
  auto dqkv = step.memory.lend(step.bytes(in));
  const auto shape = shape_of(step, layer);
  const auto plan = std::make_shared<TunedPlans>();
  AttentionBackward t{};
  if (!step.request.rehearsal) {
    CudnnGraph graph(step.libraries->cudnn);
    t = attention_backward(graph, shape);
    const CudnnPlanRules wish{.most = most_tried, .most_workspace = most_backward_workspace(step, shape)};
    plan->plans = graph.plans({step.libraries->cudnn_handle, {}}, wish);
  }
  // A rehearsal creates no plans, so it counts the maximum memory of a plan.
  auto needed = step.request.rehearsal ? most_backward_workspace(step, shape) : 0;
  for (const auto& one : plan->plans) needed = std::max(needed, one.workspace);
  const auto workspace = step.memory.lend(static_cast<std::size_t>(needed) + 512);
  const auto sums = step.memory.lend(out.rows() * static_cast<std::size_t>(layer.heads) * sizeof(float));
  const auto width = static_cast<std::size_t>(out.c) * gpu_bytes(step.type);
  const auto* const q = static_cast<const char*>(step.value(layer.in).data);
  auto* const dq = static_cast<char*>(dqkv.get());
  const auto* const scale = step.attention.scalar(1 / std::sqrt(static_cast<float>(shape.width)));
  const auto* const masked = step.attention.scalar(-1e30F);
  const auto* const kept = step.attention.scalar(static_cast<float>(layer.dropout.scale()));
  const auto* const share = step.attention.scalar(static_cast<float>(1 / layer.dropout.scale()));
  std::vector<CudnnPointer> pointers{{t.q, q},
                                     {t.k, q + width},
                                     {t.v, q + 2 * width},
                                     {t.y, step.value(layer.out).data},
                                     {t.dy, dy.get()},
                                     {t.dq, dq},
                                     {t.dk, dq + width},
                                     {t.dv, dq + 2 * width},
                                     {t.statistics, own.statistics},
                                     {t.sums, sums.get()},
                                     {t.scale, scale},
                                     {t.masked, masked},
                                     {t.share, share}};
  if (t.seed >= 0) {
    pointers.insert(pointers.end(), {{t.seed, own.seed}, {t.offset, own.seed + 1}, {t.kept_scale, kept}});
  }
  const auto run = [=, &step, space = workspace.get()](cudaStream_t stream) {
    run_chosen(step, *plan, pointers, space, stream);
  };
  step.work.add("attention backward", run, least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dqkv));
  if (step.request.rehearsal) return;
  step.tuner.tune(
      fmt::format("attention gradient {}x{}x{}", out.n, out.h, out.c), plan->plans.size(),
      [plan](std::size_t way) { plan->chosen = way; }, run, step.work.main());
}

}  // namespace rv::workers
