#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// What flows between layers: n samples of h × w positions with c channels, channels innermost (NHWC). A sequence is
/// h positions, w = 1.
struct TensorShape {
  int n = 0, h = 1, w = 1, c = 0;
  std::size_t rows() const {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(h) * static_cast<std::size_t>(w);
  }
  std::size_t count() const { return rows() * static_cast<std::size_t>(c); }
};

enum class LayerKind {
  convolution,     ///< no bias; weights: out channels × kernel × kernel × in channels
  batch_norm,      ///< then + residual and ReLU, where asked
  max_pool,        ///< 3 × 3, stride 2, padding 1
  mean_pool,       ///< over all positions
  linear,          ///< weights: out × in; then ReLU, where asked
  embedding,       ///< of tokens, times the root of the width, plus sinusoidal positions, then dropout
  attention,       ///< scaled dot product over heads, causal; in: query, key and value side by side; dropout of weights
  drop_out,        ///< of what comes in
  add_layer_norm,  ///< LayerNorm(residual + dropout(in))
};

/// How much of 65536 is kept where `rate` is dropped; an even number, so that fifteen bits can be compared at once.
std::uint32_t dropout_kept(double rate);
/// Dropout of a layer: each element is kept with this much of 65536, and scaled by its inverse.
struct Dropout {
  std::uint32_t kept = 65536;  ///< of dropout_kept
  std::uint64_t id = 0;        ///< no two layers drop alike
  bool any() const { return kept < 65536; }
  double scale() const { return 65536.0 / kept; }
};

struct Layer {
  LayerKind kind{};
  std::string name;
  int in = -1, residual = -1, out = -1;  ///< tensors; -1: none, for `in` of an embedding: the tokens
  int weight = -1, bias = -1;            ///< parameters; of a norm: its scale and shift
  int running = -1;                      ///< of batch_norm: where its means, then its variances, begin
  int kernel = 1, stride = 1, padding = 0;
  bool relu = false;
  int heads = 1;
  Dropout dropout;
};

/// How a parameter begins.
struct Beginning {
  enum class Kind { zero, one, uniform, normal } kind = Kind::zero;
  double size = 0;  ///< bound, or standard deviation
};

struct Parameter {
  std::string name;  ///< as PyTorch's torchvision.models and nn.TransformerEncoder have it
  std::vector<int> shape;
  std::size_t offset = 0, count = 0;  ///< in one array of all; offsets are multiples of 64
  Beginning beginning;
  bool in_fp32 = false;  ///< read so by its layer, whatever the products' precision: of norms and embeddings
};

/// What a model computes, without a device: layers in the order of the forward pass. Parameters that are read in fp32
/// lie at the beginning. Those of products follow, in the order of their layers, so that a backward pass finishes them
/// from the end on.
struct Network {
  std::string model;
  std::vector<TensorShape> tensors;
  std::vector<Parameter> parameters;
  std::vector<Layer> layers;
  int input = -1;   ///< -1: tokens
  int output = -1;  ///< scores, a row for each label
  int classes = 0;
  int image_channels = 3;  ///< of the input's channels; the others are zero and stay so
  int image_size = 0, sequence = 0, batch = 0;
  std::size_t parameter_space = 0;  ///< elements of the array of all parameters
  std::size_t fp32_space = 0;       ///< of those that are read in fp32
  std::size_t running_space = 0;

  const TensorShape& shape(int tensor) const { return tensors[static_cast<std::size_t>(tensor)]; }
  const Parameter& parameter(int index) const { return parameters[static_cast<std::size_t>(index)]; }
  /// The one layer that reads this tensor, by its place; none, or several: nothing.
  std::optional<std::size_t> only_reader(int tensor) const;
  std::size_t labels() const { return shape(output).rows(); }
  /// Numbers that are learnt: the padding of the first layer is none.
  std::size_t learnt() const;
  /// One product of a convolution or a linear layer, of the two or three that a step needs: multiply-adds times two.
  double product_flop(const Layer& layer) const;
  /// Multiply-adds of one training step, forward and backward, times two.
  double flop_per_step() const;
};

/// The first layer's channels: libraries want a multiple of eight.
inline constexpr int padded_image_channels = 8;

/// Deep Residual Learning (He et al. 2015), as torchvision's v1.5: the stride is on the 3 × 3. Depth 18 or 50.
Network resnet(int depth, int batch, int image_size, int classes);

struct TransformerSize {
  int layers = 12, width = 1024, heads = 16, feed_forward = 4096;
  double dropout = 0.1;
};
/// Attention Is All You Need (Vaswani et al. 2017), the encoder alone with a causal mask: normalisation after each
/// part, ReLU. `sequence` positions predict one token each.
Network transformer(int batch, int sequence, int classes, const TransformerSize& size);

/// The parameters at the start: PyTorch's distributions, the same numbers from the same seed.
std::vector<float> initial_parameters(const Network& network, std::uint64_t seed);
/// Means 0, variances 1.
std::vector<float> initial_running(const Network& network);

/// Whether element `index` of a layer's dropout is kept at this step of this rank: sixteen bits of a hash, four
/// elements to each.
constexpr std::uint64_t dropout_spread = 0x9e3779b97f4a7c15U;
/// The hash itself, of the number of the four elements times dropout_spread: who goes through many adds that up.
constexpr std::uint64_t dropout_hash(std::uint64_t key, std::uint64_t spread_number) {
  std::uint64_t x = key ^ spread_number;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
constexpr std::uint64_t dropout_bits(std::uint64_t key, std::uint64_t index) {
  return dropout_hash(key, (index >> 2) * dropout_spread);
}
constexpr bool dropout_keeps(std::uint64_t bits, std::uint64_t index, std::uint32_t kept) {
  return (bits >> (16 * (index & 3)) & 0xffff) < kept;
}
/// Elements of dropout in a row of attention's weights: rows are numbered as if they were this long.
constexpr int dropout_row(int length) {
  return (length + 7) / 8 * 8;
}
/// What a rank's keys are made of; dropout_key adds layer and step.
std::uint64_t dropout_base(std::uint64_t seed, int rank);
std::uint64_t dropout_key(std::uint64_t seed, int rank, std::uint64_t layer, std::int64_t step);

/// Position encoding: sines at even channels, cosines at odd ones.
double position_encoding(int position, int channel, int width);

}  // namespace rv::workers
