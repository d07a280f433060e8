#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// The shape of a tensor between layers: n samples of h × w positions with c channels, channels innermost (NHWC). A
/// sequence has h positions and w = 1.
struct TensorShape {
  int n = 0, h = 1, w = 1, c = 0;
  std::size_t rows() const {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(h) * static_cast<std::size_t>(w);
  }
  std::size_t count() const { return rows() * static_cast<std::size_t>(c); }
};

enum class LayerKind {
  convolution,     ///< no bias; weights: out channels × kernel × kernel × in channels
  batch_norm,      ///< optionally followed by + residual and ReLU
  max_pool,        ///< 3 × 3, stride 2, padding 1
  mean_pool,       ///< over all positions
  linear,          ///< weights: out × in; optionally followed by ReLU
  embedding,       ///< of tokens, times the square root of the width, plus sinusoidal positions, then dropout
  attention,       ///< scaled dot product over heads, causal; in: query, key and value side by side; dropout of weights
  drop_out,        ///< of the input
  add_layer_norm,  ///< LayerNorm(residual + dropout(in))
};

/// The kept share, in units of 1/65536, if `rate` is dropped: an even number, so that fifteen bits can be compared at
/// once.
std::uint32_t dropout_kept(double rate);
/// Dropout of a layer: each element is kept with probability kept/65536, and multiplied by the inverse.
struct Dropout {
  std::uint32_t kept = 65536;  ///< from dropout_kept
  std::uint64_t id = 0;        ///< different for each layer, so that their random numbers differ
  bool any() const { return kept < 65536; }
  double scale() const { return 65536.0 / kept; }
};

struct Layer {
  LayerKind kind{};
  std::string name;
  int in = -1, residual = -1, out = -1;  ///< indices of tensors; -1: none, or for `in` of an embedding the tokens
  int weight = -1, bias = -1;            ///< indices of parameters; of a norm: its scale and shift
  int running = -1;                      ///< batch_norm: where its running means begin, which its variances follow
  int kernel = 1, stride = 1, padding = 0;
  bool relu = false;
  int heads = 1;
  Dropout dropout;
};

/// The initial distribution of a parameter.
struct Beginning {
  enum class Kind { zero, one, uniform, normal } kind = Kind::zero;
  double size = 0;  ///< bound, or standard deviation
};

struct Parameter {
  std::string name;  ///< as in PyTorch's torchvision.models and nn.TransformerEncoder
  std::vector<int> shape;
  std::size_t offset = 0, count = 0;  ///< position in the array of all parameters; offsets are multiples of 64
  Beginning beginning;
  /// its layer reads it in fp32, whatever the products' precision: parameters of norms and embeddings
  bool in_fp32 = false;
};

/// The computation of a model, independent of a device: layers in the order of the forward pass. Parameters that are
/// read in fp32 come first. Those of products follow in the order of their layers, so that a backward pass completes
/// their gradients from the end.
struct Network {
  std::string model;
  std::vector<TensorShape> tensors;
  std::vector<Parameter> parameters;
  std::vector<Layer> layers;
  int input = -1;   ///< -1: tokens
  int output = -1;  ///< scores, one row per label
  int classes = 0;
  int image_channels = 3;  ///< number of image channels in the input; the others are always zero
  int image_size = 0, sequence = 0, batch = 0;
  std::size_t parameter_space = 0;  ///< elements in the array of all parameters
  std::size_t fp32_space = 0;       ///< elements of parameters that are read in fp32
  std::size_t running_space = 0;

  const TensorShape& shape(int tensor) const { return tensors[static_cast<std::size_t>(tensor)]; }
  const Parameter& parameter(int index) const { return parameters[static_cast<std::size_t>(index)]; }
  /// The index of the only layer that reads this tensor; nothing if there is none or several.
  std::optional<std::size_t> only_reader(int tensor) const;
  std::size_t labels() const { return shape(output).rows(); }
  /// The number of learnt parameters, without the padding of the first layer.
  std::size_t learnt() const;
  /// Floating-point operations (multiply-adds times two) of one product of a convolution or a linear layer; a step
  /// needs two or three of these.
  double product_flop(const Layer& layer) const;
  /// Floating-point operations of one training step, forward and backward (multiply-adds times two).
  double flop_per_step() const;
};

/// Channels of the first layer's input: libraries need a multiple of eight.
inline constexpr int padded_image_channels = 8;

/// Deep Residual Learning (He et al. 2015), in torchvision's version v1.5 with the stride in the 3 × 3 convolution.
/// Depth 18 or 50.
Network resnet(int depth, int batch, int image_size, int classes);

struct TransformerSize {
  int layers = 12, width = 1024, heads = 16, feed_forward = 4096;
  double dropout = 0.1;
};
/// Attention Is All You Need (Vaswani et al. 2017): only the encoder, with a causal mask, normalisation after each
/// part, and ReLU. Each of the `sequence` positions predicts one token.
Network transformer(int batch, int sequence, int classes, const TransformerSize& size);

/// The initial parameters: PyTorch's distributions, determined by the seed.
std::vector<float> initial_parameters(const Network& network, std::uint64_t seed);
/// The initial running statistics: means 0, variances 1.
std::vector<float> initial_running(const Network& network);

/// Whether element `index` of a layer's dropout is kept in this step on this rank, from sixteen bits of a hash. One
/// hash serves four elements.
constexpr std::uint64_t dropout_spread = 0x9e3779b97f4a7c15U;
/// The hash. `spread_number` is the number of the four elements times dropout_spread; code that processes consecutive
/// elements adds up multiples.
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
/// The number of elements of dropout in a row of attention's weights: rows are numbered as if they had this length.
constexpr int dropout_row(int length) {
  return (length + 7) / 8 * 8;
}
/// The base of a rank's keys; dropout_key adds layer and step.
std::uint64_t dropout_base(std::uint64_t seed, int rank);
std::uint64_t dropout_key(std::uint64_t seed, int rank, std::uint64_t layer, std::int64_t step);

/// Position encoding: sines at even channels, cosines at odd ones.
double position_encoding(int position, int channel, int width);

}  // namespace rv::workers
