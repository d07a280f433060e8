#include "workers/training/gpu/layers/linear_layer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workers/training/gpu/kernels/row_kernels.h"
#include "workers/training/gpu/layers/dropped_linear.h"
#include "workers/training/gpu/step/least_work.h"
#include "workers/training/gpu/step/tuned_ways.h"

namespace rv::workers {

void add_linear(GpuStep& step, const Layer& layer) {
  if (add_dropped_linear(step, layer)) return;
  const auto in = step.network.shape(layer.in), out = step.network.shape(layer.out);
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  const auto* const x = step.value(layer.in).data;
  const auto* const w = step.narrow(layer.weight);
  ProductShape shape{out.c, static_cast<std::int64_t>(out.rows()), in.c, true, false, in.c, in.c, out.c};
  shape.epilogue = layer.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
  shape.bias = step.narrow(layer.bias);
  const auto made = tuned_product(step, "linear", shape, w, x, 0, y);
  if (!made && !step.request.rehearsal) throw std::runtime_error("cuBLASLt has no product for " + layer.name);
  step.work.add(
      fmt::format("product forward to {}", out.c),
      [=, &step](cudaStream_t stream) { made->run(1, w, x, 0, y, step.workspace, stream); },
      least_forward(step, layer));
}

void add_linear_back(GpuStep& step, const Layer& layer) {
  const auto in = step.network.shape(layer.in), out = step.network.shape(layer.out);
  const auto rows = static_cast<std::int64_t>(out.rows());
  const auto dy = step.value(layer.out).back.at(0);
  const auto* const x = step.value(layer.in).data;
  const bool narrows = step.request.narrows_gradients();
  const auto place = [&](int parameter) {
    return narrows ? step.narrow_gradient(parameter) : static_cast<void*>(step.slope(parameter));
  };
  auto* const dw = place(layer.weight);
  if (narrows) step.comes_narrow(layer.weight);

  ProductShape weights{in.c, out.c, rows, false, true, in.c, out.c, in.c};
  weights.wide_result = !narrows;
  // If cuBLASLt supports it, the same product computes the bias gradient, in the same type. For a large product this is
  // a third slower than a separate sum.
  constexpr std::int64_t many_rows = 4096;
  const bool summed = step.value(layer.out).columns_summed;
  std::shared_ptr<CublasProduct> made;
  if (!summed && rows < many_rows) {
    weights.epilogue = CUBLASLT_EPILOGUE_BGRADB;
    weights.bias = place(layer.bias);
    made = tuned_product(step, "weight gradient", weights, x, dy.get(), 0, dw);
    weights.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    weights.bias = nullptr;
  }
  const bool with_bias = made != nullptr;
  if (with_bias && narrows) step.comes_narrow(layer.bias);
  if (!with_bias) made = tuned_product(step, "weight gradient", weights, x, dy.get(), 0, dw);
  step.work.add(
      fmt::format("product weight gradient {} by {}", out.c, in.c),
      [=, &step, from = dy.get(), db = step.slope(layer.bias)](cudaStream_t stream) {
        made->run(1, x, from, 0, dw, step.workspace, stream);
        if (!with_bias && !summed) column_sums({step.type, rows, out.c}, from, db, step.partial, stream);
      },
      least_weight_gradient(step, layer));

  if (add_masked_gradient(step, layer)) return;
  const auto* const w = step.narrow(layer.weight);
  ProductShape inputs{in.c, rows, out.c, false, false, in.c, out.c, in.c};
  auto& parts = step.value(layer.in).back;
  const float beta = parts.empty() ? 0.0F : 1.0F;
  if (parts.empty()) parts.push_back(step.memory.lend(step.bytes(in)));
  auto* const dx = parts[0].get();
  const auto back = tuned_product(step, "input gradient", inputs, w, dy.get(), beta, dx);
  step.work.add(
      fmt::format("product input gradient to {}{}", in.c, beta > 0 ? ", added" : ""),
      [=, &step, from = dy.get()](cudaStream_t stream) { back->run(1, w, from, beta, dx, step.workspace, stream); },
      least_input_gradient(step, layer));
}

}  // namespace rv::workers
