#include "workers/training/gpu/attention_by_products.h"

#include <cmath>

#include "workers/training/gpu/kernels/softmax_kernels.h"
#include "workers/training/gpu/tuned_ways.h"

namespace rv::workers {
namespace {

/// The products of attention, one call for all heads of a sample.
ProductShape head_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t heads) {
  ProductShape shape{m, n, k};
  shape.batch = heads;
  return shape;
}

}  // namespace

void add_attention_by_products(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto out = step.network.shape(layer.out);
  auto& own = step.layers[index];
  step.attention.way = "products and a softmax between them";
  const std::int64_t length = out.h, wide = std::int64_t{3} * out.c, heads = layer.heads, part = out.c / heads;
  const std::int64_t stride = (length + 7) / 8 * 8, square = length * stride;
  const auto square_bytes = static_cast<std::size_t>(out.n * heads * square) * gpu_bytes(step.type);
  own.weights = step.memory.keep(square_bytes);
  if (step.attention.square_a == nullptr) step.attention.square_a = step.memory.keep(square_bytes);
  if (step.attention.square_b == nullptr) step.attention.square_b = step.memory.keep(square_bytes);
  const auto* const qkv = static_cast<const char*>(step.value(layer.in).data);
  auto* const y = static_cast<char*>(step.value(layer.out).data);
  const auto size = static_cast<std::int64_t>(gpu_bytes(step.type));

  auto scores = head_product(length, length, part, heads);
  scores.turn_a = true;
  scores.lda = scores.ldb = wide;
  scores.stride_a = scores.stride_b = part;
  scores.ldd = stride;
  scores.stride_d = square;
  auto values = head_product(part, length, length, heads);
  values.lda = wide;
  values.stride_a = part;
  values.ldb = stride;
  values.stride_b = square;
  values.ldd = out.c;
  values.stride_d = part;
  const auto first = tuned_product(step, "scores", scores, qkv + out.c * size, qkv, 0, step.attention.square_a);
  const auto second = tuned_product(step, "weighted values", values, qkv + std::int64_t{2} * out.c * size,
                                    step.attention.square_b, 0, y);
  const SoftmaxShape shape{step.type, out.n * heads, out.h, static_cast<int>(stride)};
  const float scale = 1 / std::sqrt(static_cast<float>(part));
  step.work.add("attention forward", [=, &step, weights = own.weights, how = step.dropout(layer)](cudaStream_t stream) {
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      first->run(scale, q + out.c * size, q, 0, static_cast<char*>(step.attention.square_a) + n * heads * square * size,
                 step.workspace, stream);
    }
    causal_softmax(shape, step.attention.square_a, weights, step.attention.square_b, how, step.numbers.state, stream);
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      second->run(1, q + std::int64_t{2} * out.c * size,
                  static_cast<char*>(step.attention.square_b) + n * heads * square * size, 0,
                  y + n * length * out.c * size, step.workspace, stream);
    }
  });
}

void add_attention_by_products_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto out = step.network.shape(layer.out);
  auto& own = step.layers[index];
  const std::int64_t length = out.h, wide = std::int64_t{3} * out.c, heads = layer.heads, part = out.c / heads;
  const std::int64_t stride = (length + 7) / 8 * 8, square = length * stride;
  const auto size = static_cast<std::int64_t>(gpu_bytes(step.type));
  const auto dy = step.value(layer.out).back.at(0);
  auto dqkv = step.memory.lend(step.bytes(step.network.shape(layer.in)));
  const auto* const qkv = static_cast<const char*>(step.value(layer.in).data);
  const auto* const from = static_cast<const char*>(dy.get());
  auto* const to = static_cast<char*>(dqkv.get());

  auto weights = head_product(length, length, part, heads);
  weights.turn_a = true;
  weights.lda = wide;
  weights.stride_a = part;
  weights.ldb = out.c;
  weights.stride_b = part;
  weights.ldd = stride;
  weights.stride_d = square;
  auto values = head_product(part, length, length, heads);
  values.turn_b = true;
  values.lda = out.c;
  values.stride_a = part;
  values.ldb = stride;
  values.stride_b = square;
  values.ldd = wide;
  values.stride_d = part;
  auto queries = values;
  queries.turn_b = false;
  queries.lda = wide;
  auto keys = queries;
  keys.turn_b = true;
  const auto first = tuned_product(step, "weights' gradient", weights, qkv + std::int64_t{2} * out.c * size, from, 0,
                                   step.attention.square_a);
  const auto second = tuned_product(step, "values' gradient", values, from, step.attention.square_b, 0,
                                    to + std::int64_t{2} * out.c * size);
  const auto third =
      tuned_product(step, "queries' gradient", queries, qkv + out.c * size, step.attention.square_a, 0, to);
  const auto fourth = tuned_product(step, "keys' gradient", keys, qkv, step.attention.square_a, 0, to + out.c * size);
  const SoftmaxShape shape{step.type, out.n * heads, out.h, static_cast<int>(stride)};
  const float scale = 1 / std::sqrt(static_cast<float>(part));
  step.work.add("attention backward", [=, &step, kept = own.weights, how = step.dropout(layer)](cudaStream_t stream) {
    auto* const a = static_cast<char*>(step.attention.square_a);
    auto* const b = static_cast<char*>(step.attention.square_b);
    for (std::int64_t n = 0; n < out.n; ++n) {
      first->run(1, qkv + (n * length * wide + std::int64_t{2} * out.c) * size, from + n * length * out.c * size, 0,
                 a + n * heads * square * size, step.workspace, stream);
    }
    causal_softmax_back(shape, kept, a, b, how, step.numbers.state, scale, stream);
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      auto* const d = to + n * length * wide * size;
      const auto at = n * heads * square * size;
      second->run(1, from + n * length * out.c * size, b + at, 0, d + std::int64_t{2} * out.c * size, step.workspace,
                  stream);
      third->run(1, q + out.c * size, a + at, 0, d, step.workspace, stream);
      fourth->run(1, q, a + at, 0, d + out.c * size, step.workspace, stream);
    }
  });
  step.value(layer.in).back.push_back(std::move(dqkv));
}

}  // namespace rv::workers
