#include "workers/training/gpu/attention_by_products.h"

#include <cmath>

#include "workers/training/gpu/head_product.h"
#include "workers/training/gpu/kernels/softmax_kernels.h"

namespace rv::workers {
namespace {

/// How attention's numbers lie: query, key and value side by side in each position, and a square of weights for each
/// head of each sample.
struct Sizes {
  Sizes(const GpuStep& step, const Layer& layer)
      : samples(step.network.shape(layer.out).n),
        heads(layer.heads),
        length(step.network.shape(layer.out).h),
        width(step.network.shape(layer.out).c),
        part(width / heads),
        row(dropout_row(static_cast<int>(length))),
        size(static_cast<std::int64_t>(gpu_bytes(step.type))) {}

  std::size_t square_bytes() const { return static_cast<std::size_t>(samples * heads * length * row * size); }
  float scale() const { return 1 / std::sqrt(static_cast<float>(part)); }
  SoftmaxShape softmax(GpuType type) const {
    return {type, std::int64_t{samples} * heads, static_cast<int>(length), static_cast<int>(row)};
  }

  HeadMatrices squares(const void* first) const { return {first, row, length * row, heads * length * row}; }
  HeadMatrices heads_of(const void* first) const { return {first, width, part, length * width}; }
  /// 0: the queries, 1: the keys, 2: the values.
  HeadMatrices third(const void* qkv, int index) const {
    return {static_cast<const char*>(qkv) + index * width * size, 3 * width, part, 3 * length * width};
  }

  int samples, heads;
  std::int64_t length, width, part, row, size;
};

std::shared_ptr<HeadProduct> product(GpuStep& step, const Sizes& sizes, const char* what, const ProductShape& shape,
                                     const HeadMatrices& a, const HeadMatrices& b, const HeadMatrices& d) {
  return std::make_shared<HeadProduct>(step, what, shape, a, b, d, sizes.samples, sizes.heads);
}

}  // namespace

void add_attention_by_products(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const Sizes sizes(step, layer);
  auto& own = step.layers[index];
  step.attention.way = "products and a softmax between them";
  own.weights = step.memory.keep(sizes.square_bytes());
  if (step.attention.square_a == nullptr) step.attention.square_a = step.memory.keep(sizes.square_bytes());
  if (step.attention.square_b == nullptr) step.attention.square_b = step.memory.keep(sizes.square_bytes());
  const auto* const qkv = step.value(layer.in).data;
  auto* const scores = step.attention.square_a;
  auto* const dropped = step.attention.square_b;

  const auto first = product(step, sizes, "scores", {sizes.length, sizes.length, sizes.part, true, false},
                             sizes.third(qkv, 1), sizes.third(qkv, 0), sizes.squares(scores));
  const auto second = product(step, sizes, "weighted values", {sizes.part, sizes.length, sizes.length},
                              sizes.third(qkv, 2), sizes.squares(dropped), sizes.heads_of(step.value(layer.out).data));
  step.work.add("attention forward", [=, &step, weights = own.weights, how = step.dropout(layer)](cudaStream_t stream) {
    first->run(sizes.scale(), stream);
    causal_softmax(sizes.softmax(step.type), scores, weights, dropped, how, step.numbers.state, stream);
    second->run(1, stream);
  });
}

void add_attention_by_products_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const Sizes sizes(step, layer);
  const auto dy = step.value(layer.out).back.at(0);
  auto dqkv = step.memory.lend(step.bytes(step.network.shape(layer.in)));
  const auto* const qkv = step.value(layer.in).data;
  auto* const slopes = step.attention.square_a;
  auto* const dropped = step.attention.square_b;

  const auto outgoing = sizes.heads_of(dy.get());
  const auto first = product(step, sizes, "weights' gradient", {sizes.length, sizes.length, sizes.part, true, false},
                             sizes.third(qkv, 2), outgoing, sizes.squares(slopes));
  const ProductShape turned{sizes.part, sizes.length, sizes.length, false, true};
  const auto second =
      product(step, sizes, "values' gradient", turned, outgoing, sizes.squares(dropped), sizes.third(dqkv.get(), 2));
  const auto third = product(step, sizes, "queries' gradient", {sizes.part, sizes.length, sizes.length},
                             sizes.third(qkv, 1), sizes.squares(slopes), sizes.third(dqkv.get(), 0));
  const auto fourth = product(step, sizes, "keys' gradient", turned, sizes.third(qkv, 0), sizes.squares(slopes),
                              sizes.third(dqkv.get(), 1));
  step.work.add("attention backward",
                [=, &step, weights = step.layers[index].weights, how = step.dropout(layer)](cudaStream_t stream) {
                  first->run(1, stream);
                  causal_softmax_back(sizes.softmax(step.type), weights, slopes, dropped, how, step.numbers.state,
                                      sizes.scale(), stream);
                  second->run(1, stream);
                  third->run(1, stream);
                  fourth->run(1, stream);
                });
  step.value(layer.in).back.push_back(std::move(dqkv));
}

}  // namespace rv::workers
