#include "workers/training/gpu/layers/attention_by_products.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "workers/training/gpu/kernels/softmax_kernels.h"
#include "workers/training/gpu/layers/head_product.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

/// Positions per block. Blocks above the diagonal are never computed.
constexpr int block = 128;

/// The layout of attention's tensors: query, key and value side by side in each position, and a square of weights for
/// each head of each sample.
struct Sizes {
  Sizes(const GpuStep& step, const Layer& layer)
      : samples(step.network.shape(layer.out).n),
        heads(layer.heads),
        length(step.network.shape(layer.out).h),
        width(step.network.shape(layer.out).c),
        part(width / heads),
        row(dropout_row(static_cast<int>(length))),
        size(static_cast<std::int64_t>(gpu_bytes(step.type))) {}

  std::size_t square_bytes() const {
    return static_cast<std::size_t>(std::int64_t{samples} * heads * length * row * size);
  }
  float scale() const { return 1 / std::sqrt(static_cast<float>(part)); }
  SoftmaxShape softmax(GpuType type) const {
    return {type, std::int64_t{samples} * heads, static_cast<int>(length), static_cast<int>(row), block};
  }

  HeadMatrices squares(const void* first) const { return {first, row, length * row, heads * length * row}; }
  HeadMatrices heads_of(const void* first) const { return {first, width, part, length * width}; }
  /// `index`: 0 queries, 1 keys, 2 values.
  HeadMatrices third(const void* qkv, int index) const {
    return {static_cast<const char*>(qkv) + index * width * size, 3 * width, part, 3 * length * width};
  }

  int samples, heads;
  std::int64_t length, width, part, row, size;
};

/// Where a causal product is limited by the diagonal: its result, with a row per query (`square`); the sum over keys
/// for each query (`queries`); or the sum over queries for each key (`keys`).
enum class Causal { square, queries, keys };

/// A product with a square of weights, in one call per block.
class CausalProduct {
 public:
  CausalProduct(GpuStep& step, const Sizes& sizes, const char* what, Causal causal, ProductShape shape,
                const HeadMatrices& a, const HeadMatrices& b, const HeadMatrices& d) {
    const auto from = [&](HeadMatrices matrices, std::int64_t line, std::int64_t element = 0) {
      matrices.first = static_cast<const char*>(matrices.first) + (line * matrices.lead + element) * sizes.size;
      return matrices;
    };
    for (std::int64_t begin = 0; begin < sizes.length; begin += block) {
      const auto end = std::min(begin + block, sizes.length);
      shape.n = end - begin;
      if (causal == Causal::square) shape.m = end;
      if (causal == Causal::queries) shape.k = end;
      if (causal == Causal::keys) shape.k = sizes.length - begin;
      const bool keys = causal == Causal::keys;
      parts_.push_back(std::make_unique<HeadProduct>(step, what, shape, keys ? from(a, begin) : a,
                                                     from(b, begin, keys ? begin : 0), from(d, begin), sizes.samples,
                                                     sizes.heads));
    }
  }

  void run(float alpha, cudaStream_t stream) const {
    for (const auto& part : parts_) part->run(alpha, stream);
  }

 private:
  std::vector<std::unique_ptr<HeadProduct>> parts_;
};

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

  const ProductShape square{0, 0, sizes.part, true, false}, sums{sizes.part, 0, 0};
  const auto first = std::make_shared<CausalProduct>(step, sizes, "scores", Causal::square, square, sizes.third(qkv, 1),
                                                     sizes.third(qkv, 0), sizes.squares(scores));
  const auto second =
      std::make_shared<CausalProduct>(step, sizes, "weighted values", Causal::queries, sums, sizes.third(qkv, 2),
                                      sizes.squares(dropped), sizes.heads_of(step.value(layer.out).data));
  step.work.add(
      "attention forward",
      [=, &step, weights = own.weights, how = step.dropout(layer)](cudaStream_t stream) {
        first->run(sizes.scale(), stream);
        causal_softmax(sizes.softmax(step.type), scores, weights, dropped, how, step.numbers.state, stream);
        second->run(1, stream);
      },
      least_forward(step, layer));
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
  const ProductShape square{0, 0, sizes.part, true, false}, sums{sizes.part, 0, 0},
      turned{sizes.part, 0, 0, false, true};
  const auto first = std::make_shared<CausalProduct>(step, sizes, "weights' gradient", Causal::square, square,
                                                     sizes.third(qkv, 2), outgoing, sizes.squares(slopes));
  const auto second = std::make_shared<CausalProduct>(step, sizes, "values' gradient", Causal::keys, turned, outgoing,
                                                      sizes.squares(dropped), sizes.third(dqkv.get(), 2));
  const auto third =
      std::make_shared<CausalProduct>(step, sizes, "queries' gradient", Causal::queries, sums, sizes.third(qkv, 1),
                                      sizes.squares(slopes), sizes.third(dqkv.get(), 0));
  const auto fourth =
      std::make_shared<CausalProduct>(step, sizes, "keys' gradient", Causal::keys, turned, sizes.third(qkv, 0),
                                      sizes.squares(slopes), sizes.third(dqkv.get(), 1));
  step.work.add(
      "attention backward",
      [=, &step, weights = step.layers[index].weights, how = step.dropout(layer)](cudaStream_t stream) {
        first->run(1, stream);
        causal_softmax_back(sizes.softmax(step.type), weights, slopes, dropped, how, step.numbers.state, sizes.scale(),
                            stream);
        second->run(1, stream);
        third->run(1, stream);
        fourth->run(1, stream);
      },
      least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dqkv));
}

}  // namespace rv::workers
