#include "workers/training/gpu/step/gpu_attention.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "workers/training/gpu/kernels/attention/attention_kernels.h"
#include "workers/training/gpu/kernels/warpgroups/warpgroups_here.h"

namespace rv::workers {
namespace {

using Extents = CudnnGraph::Extents;

/// The tensors' dimensions, in cuDNN's order: sample, head, position, channel.
struct Layouts {
  explicit Layouts(const AttentionShape& s)
      : wide(3 * s.heads * s.width),
        narrow(s.heads * s.width),
        rows{s.n, s.heads, s.length, s.width},
        in{s.length * wide, s.width, wide, 1},
        out{s.length * narrow, s.width, narrow, 1},
        turned{s.n, s.heads, s.width, s.length},
        in_turned{s.length * wide, s.width, 1, wide},
        square{s.n, s.heads, s.length, s.length},
        square_strides{s.heads * s.length * s.length, s.length * s.length, s.length, 1},
        square_turned{s.heads * s.length * s.length, s.length * s.length, 1, s.length},
        column{s.n, s.heads, s.length, 1},
        column_strides{s.heads * s.length, s.length, 1, 1} {}

  std::int64_t wide, narrow;
  Extents rows, in, out, turned, in_turned, square, square_strides, square_turned, column, column_strides;
};

class Chain {
 public:
  Chain(CudnnGraph& graph, const Layouts& layouts) : graph_(graph), l_(layouts) {}
  std::int64_t square(cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    return graph_.between(l_.square, l_.square_strides, type);
  }
  std::int64_t step(cudnnPointwiseMode_t mode, std::int64_t x, std::int64_t b = -1,
                    cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    const auto y = square(type);
    graph_.pointwise(mode, x, b, y);
    return y;
  }
  /// Masks later positions.
  std::int64_t causal(std::int64_t x, std::int64_t masked) {
    const auto row = square(CUDNN_DATA_INT32), column = square(CUDNN_DATA_INT32), allowed = square(CUDNN_DATA_BOOLEAN);
    graph_.pointwise(CUDNN_POINTWISE_GEN_INDEX, x, -1, row, -1, 2);
    graph_.pointwise(CUDNN_POINTWISE_GEN_INDEX, x, -1, column, -1, 3);
    graph_.pointwise(CUDNN_POINTWISE_CMP_GE, row, column, allowed);
    const auto y = square();
    graph_.pointwise(CUDNN_POINTWISE_BINARY_SELECT, x, masked, y, allowed);
    return y;
  }
  std::int64_t turned(std::int64_t x, cudnnDataType_t type) {
    const auto y = graph_.between(l_.square, l_.square_turned, type);
    graph_.reshape(x, y);
    return y;
  }

 private:
  CudnnGraph& graph_;
  const Layouts& l_;
};

}  // namespace

AttentionForward attention_forward(CudnnGraph& graph, const AttentionShape& shape) {
  const Layouts l(shape);
  Chain chain(graph, l);
  AttentionForward t{};
  t.q = graph.tensor(l.rows, l.in, shape.type);
  t.k = graph.tensor(l.turned, l.in_turned, shape.type);
  t.v = graph.tensor(l.rows, l.in, shape.type);
  t.y = graph.tensor(l.rows, l.out, shape.type);
  t.statistics = graph.tensor(l.column, l.column_strides, CUDNN_DATA_FLOAT);
  t.scale = graph.scalar(4);
  t.masked = graph.scalar(4);
  const auto product = chain.square();
  graph.multiply(t.q, t.k, product);
  const auto scores = chain.causal(chain.step(CUDNN_POINTWISE_MUL, product, t.scale), t.masked);
  const auto column = [&] { return graph.between(l.column, l.column_strides); };
  const auto most = column(), sum = column(), log = column();
  graph.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, most);
  const auto powers = chain.step(CUDNN_POINTWISE_EXP, chain.step(CUDNN_POINTWISE_SUB, scores, most));
  graph.reduce(CUDNN_REDUCE_TENSOR_ADD, powers, sum);
  graph.pointwise(CUDNN_POINTWISE_LOG, sum, -1, log);
  graph.pointwise(CUDNN_POINTWISE_ADD, most, log, t.statistics);
  // The last operation feeds the second product, so its result has the inputs' type.
  const bool drops = shape.kept < 1;
  auto weights = chain.step(CUDNN_POINTWISE_DIV, powers, sum, drops ? CUDNN_DATA_FLOAT : shape.type);
  if (drops) {
    t.seed = graph.tensor({1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_INT64);
    t.offset = graph.tensor({1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_INT64);
    t.kept_scale = graph.scalar(4);
    const auto kept = chain.square();
    graph.random(shape.kept, t.seed, t.offset, kept);
    weights = chain.step(CUDNN_POINTWISE_MUL, weights, kept);
    weights = chain.step(CUDNN_POINTWISE_MUL, weights, t.kept_scale, shape.type);
  }
  graph.multiply(weights, t.v, t.y);
  return t;
}

AttentionBackward attention_backward(CudnnGraph& graph, const AttentionShape& shape) {
  const Layouts l(shape);
  Chain chain(graph, l);
  AttentionBackward t{};
  t.q = graph.tensor(l.rows, l.in, shape.type);
  t.k = graph.tensor(l.turned, l.in_turned, shape.type);
  t.v = graph.tensor(l.turned, l.in_turned, shape.type);
  t.y = graph.tensor(l.rows, l.out, shape.type);
  t.dy = graph.tensor(l.rows, l.out, shape.type);
  t.dq = graph.tensor(l.rows, l.in, shape.type);
  t.dk = graph.tensor(l.rows, l.in, shape.type);
  t.dv = graph.tensor(l.rows, l.in, shape.type);
  t.statistics = graph.tensor(l.column, l.column_strides, CUDNN_DATA_FLOAT);
  t.sums = graph.tensor(l.column, l.column_strides, CUDNN_DATA_FLOAT);
  t.scale = graph.scalar(4);
  t.masked = graph.scalar(4);
  t.share = graph.scalar(4);
  std::int64_t kept = -1;
  if (shape.kept < 1) {
    t.seed = graph.tensor({1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_INT64);
    t.offset = graph.tensor({1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_INT64);
    t.kept_scale = graph.scalar(4);
    kept = chain.square();
    graph.random(shape.kept, t.seed, t.offset, kept);
  }
  const auto products = graph.between(l.rows, l.out), sum = graph.between(l.column, l.column_strides);
  graph.pointwise(CUDNN_POINTWISE_MUL, t.dy, t.y, products);
  graph.reduce(CUDNN_REDUCE_TENSOR_ADD, products, sum);
  graph.pointwise(CUDNN_POINTWISE_MUL, sum, t.share, t.sums);

  const auto product = chain.square();
  graph.multiply(t.q, t.k, product);
  auto scores = chain.step(CUDNN_POINTWISE_MUL, product, t.scale);
  scores = chain.causal(chain.step(CUDNN_POINTWISE_SUB, scores, t.statistics), t.masked);
  const auto weights = chain.step(CUDNN_POINTWISE_EXP, scores);
  auto dropped = weights;
  if (kept >= 0) {
    dropped = chain.step(CUDNN_POINTWISE_MUL, dropped, kept);
    dropped = chain.step(CUDNN_POINTWISE_MUL, dropped, t.kept_scale);
  }
  graph.multiply(chain.turned(dropped, shape.type), t.dy, t.dv);

  auto back = chain.square();
  graph.multiply(t.dy, t.v, back);
  if (kept >= 0) back = chain.step(CUDNN_POINTWISE_MUL, back, kept);
  back = chain.step(CUDNN_POINTWISE_SUB, back, t.sums);
  back = chain.step(CUDNN_POINTWISE_MUL, back, weights);
  if (kept >= 0) back = chain.step(CUDNN_POINTWISE_MUL, back, t.kept_scale);
  const auto slopes = chain.step(CUDNN_POINTWISE_MUL, back, t.scale, shape.type);
  graph.multiply(chain.turned(slopes, shape.type), t.q, t.dk);
  const auto keys = graph.between(l.rows, l.in, shape.type);
  graph.reshape(t.k, keys);
  graph.multiply(slopes, keys, t.dq);
  return t;
}

namespace {

AttentionWorkspace asked_room(const GpuLibraries& libraries, const AttentionShape& shape) {
  CudnnGraph forward(libraries.cudnn), backward(libraries.cudnn);
  attention_forward(forward, shape);
  attention_backward(backward, shape);
  const auto least = [&](CudnnGraph& graph) {
    const auto plans = graph.plans({libraries.cudnn_handle, {}}, {true, 6, std::numeric_limits<std::int64_t>::max()});
    const auto smallest = std::min_element(
        plans.begin(), plans.end(), [](const auto& one, const auto& other) { return one.workspace < other.workspace; });
    return smallest == plans.end() ? -1.0 : static_cast<double>(smallest->workspace) / static_cast<double>(shape.n);
  };
  const double there = least(forward), back = least(backward);
  if (there < 0 || back < 0) return {false, 0, 0, there < 0 ? forward.refusal() : backward.refusal()};
  return {true, there, back, ""};
}

}  // namespace

std::optional<AttentionWorkspace> workspace_of_kernels(const AttentionShape& shape) {
  // Without dropout, cuDNN's kernels are as fast backward, and faster forward.
  if (shape.width != AttentionSizes::width || shape.kept >= 1 || !warpgroups_run_here()) return std::nullopt;
  AttentionWorkspace workspace;
  workspace.kernels = true;
  return workspace;
}

AttentionWorkspace attention_workspace(const GpuLibraries& libraries, AttentionShape shape) {
  // Enough samples to fill a GPU: for fewer, cuDNN's first proposals are others.
  shape.n = 32;
  static std::optional<std::pair<AttentionShape, AttentionWorkspace>> known;
  if (!known || !(known->first == shape)) known.emplace(shape, asked_room(libraries, shape));
  return known->second;
}

}  // namespace rv::workers
