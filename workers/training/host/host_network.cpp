#include "workers/training/host/host_network.h"

#include <algorithm>

namespace rv::workers {
namespace {

/// The data that a layer keeps from its forward pass: numbers, and the inputs that pooling selected.
struct Kept {
  std::size_t numbers = 0, places = 0;
};

Kept kept_by(const Network& network, const Layer& layer) {
  const auto& out = network.shape(layer.out);
  switch (layer.kind) {
    case LayerKind::batch_norm:
      return {2 * static_cast<std::size_t>(out.c), 0};
    case LayerKind::max_pool:
      return {0, out.count()};
    case LayerKind::embedding:
      return {out.count(), 0};
    case LayerKind::add_layer_norm:  // the sum before normalisation, then means and inverse deviations by row
      return {out.count() + 2 * out.rows(), 0};
    case LayerKind::attention:
      return {out.rows() * static_cast<std::size_t>(out.h) * static_cast<std::size_t>(layer.heads), 0};
    default:
      return {};
  }
}

}  // namespace

template <class T>
HostNetwork<T>::HostNetwork(const Network& network, std::uint64_t seed, int rank)
    : parameters(network.parameter_space),
      gradients(network.parameter_space),
      running(initial_running(network)),
      network_(network),
      seed_(seed),
      rank_(rank),
      saved_(network.layers.size()),
      places_(network.layers.size()) {
  const auto start = initial_parameters(network, seed);
  std::copy(start.begin(), start.end(), parameters.begin());
  for (const auto& shape : network.tensors) {
    values_.emplace_back(shape.count());
    back_.emplace_back(shape.count());
  }
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    const auto kept = kept_by(network, layer);
    saved_[i].resize(kept.numbers);
    places_[i].resize(kept.places);
    scratch_.resize(std::max(scratch_.size(), network.shape(layer.out).count()));
  }
}

template <class T>
std::size_t HostNetwork<T>::bytes(const Network& network) {
  std::size_t numbers = 2 * network.parameter_space, places = 0, scratch = 0;
  for (const auto& shape : network.tensors) numbers += 2 * shape.count();
  for (const auto& layer : network.layers) {
    const auto kept = kept_by(network, layer);
    numbers += kept.numbers;
    places += kept.places;
    scratch = std::max(scratch, network.shape(layer.out).count());
  }
  return sizeof(T) * (numbers + scratch) + sizeof(std::size_t) * places + sizeof(float) * network.running_space;
}

template <class T>
void HostNetwork<T>::forward(const Batch& batch, std::int64_t step) {
  using L = HostLayers<T>;
  if (network_.input >= 0) {
    auto& x = values_[static_cast<std::size_t>(network_.input)];
    const auto channels = static_cast<std::size_t>(network_.image_channels);
    const auto padded = static_cast<std::size_t>(network_.shape(network_.input).c);
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
      x[i / channels * padded + i % channels] = static_cast<T>(batch.values[i]);
    }
  }
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    const auto& layer = network_.layers[i];
    const auto& out = network_.shape(layer.out);
    const TensorShape in = layer.in >= 0 ? network_.shape(layer.in) : TensorShape{};
    const T* const x = value(layer.in);
    T* const y = value(layer.out);
    T* const saved = saved_[i].data();
    switch (layer.kind) {
      case LayerKind::convolution:
        L::convolution(in, out, layer, x, weight(layer.weight), y);
        break;
      case LayerKind::batch_norm:
        L::batch_norm(in, layer.relu, x, value(layer.residual), weight(layer.weight), weight(layer.bias), y, saved,
                      running.data() + layer.running);
        break;
      case LayerKind::max_pool:
        L::max_pool(in, out, x, y, places_[i].data());
        break;
      case LayerKind::mean_pool:
        L::mean_pool(in, x, y);
        break;
      case LayerKind::linear:
        L::linear(in.rows(), in.c, out.c, layer.relu, x, weight(layer.weight), weight(layer.bias), y);
        break;
      case LayerKind::embedding:
        L::embedding(out, batch.tokens.data(), weight(layer.weight), saved);
        L::drop(out.count(), layer.dropout, key(layer, step), saved, y);
        break;
      case LayerKind::attention:
        L::attention(out, layer.heads, layer.dropout, key(layer, step), x, y, saved);
        break;
      case LayerKind::drop_out:
        L::drop(out.count(), layer.dropout, key(layer, step), x, y);
        break;
      case LayerKind::add_layer_norm: {
        L::drop(out.count(), layer.dropout, key(layer, step), x, saved);
        const T* const residual = value(layer.residual);
        for (std::size_t k = 0; k < out.count(); ++k) saved[k] += residual[k];
        L::layer_norm(out.rows(), out.c, saved, weight(layer.weight), weight(layer.bias), y, saved + out.count());
        break;
      }
    }
  }
}

template <class T>
void HostNetwork<T>::backward(const Batch& batch, std::int64_t step) {
  using L = HostLayers<T>;
  for (std::size_t i = network_.layers.size(); i-- > 0;) {
    const auto& layer = network_.layers[i];
    const auto& out = network_.shape(layer.out);
    const TensorShape in = layer.in >= 0 ? network_.shape(layer.in) : TensorShape{};
    const T* const x = value(layer.in);
    const T* const y = value(layer.out);
    const T* const dy = back(layer.out);
    T* const dx = back(layer.in);
    const T* const saved = saved_[i].data();
    switch (layer.kind) {
      case LayerKind::convolution:
        L::convolution_back(in, out, layer, x, weight(layer.weight), dy, dx, slope(layer.weight));
        break;
      case LayerKind::batch_norm:
        L::batch_norm_back(in, layer.relu, x, y, weight(layer.weight), saved, dy, dx, back(layer.residual),
                           slope(layer.weight), slope(layer.bias));
        break;
      case LayerKind::max_pool:
        for (std::size_t k = 0; k < out.count(); ++k) dx[places_[i][k]] += dy[k];
        break;
      case LayerKind::mean_pool:
        L::mean_pool_back(in, dy, dx);
        break;
      case LayerKind::linear:
        L::linear_back(in.rows(), in.c, out.c, layer.relu, x, weight(layer.weight), y, dy, dx, slope(layer.weight),
                       slope(layer.bias));
        break;
      case LayerKind::embedding:
        std::fill_n(scratch_.begin(), out.count(), T(0));
        L::drop_back(out.count(), layer.dropout, key(layer, step), dy, scratch_.data());
        L::embedding_back(out, batch.tokens.data(), scratch_.data(), slope(layer.weight));
        break;
      case LayerKind::attention:
        L::attention_back(out, layer.heads, layer.dropout, key(layer, step), x, saved, dy, dx);
        break;
      case LayerKind::drop_out:
        L::drop_back(out.count(), layer.dropout, key(layer, step), dy, dx);
        break;
      case LayerKind::add_layer_norm: {
        L::layer_norm_back(out.rows(), out.c, saved, weight(layer.weight), saved + out.count(), dy, scratch_.data(),
                           slope(layer.weight), slope(layer.bias));
        L::drop_back(out.count(), layer.dropout, key(layer, step), scratch_.data(), dx);
        T* const residual = back(layer.residual);
        for (std::size_t k = 0; k < out.count(); ++k) residual[k] += scratch_[k];
        break;
      }
    }
  }
}

template <class T>
double HostNetwork<T>::differentiate(const Batch& batch, double share, std::int64_t step) {
  forward(batch, step);
  std::fill(gradients.begin(), gradients.end(), T(0));
  for (auto& back : back_) std::fill(back.begin(), back.end(), T(0));
  // The scores are kept; their gradients start as a copy of them.
  auto& scores = back_[static_cast<std::size_t>(network_.output)];
  scores = values_[static_cast<std::size_t>(network_.output)];
  const auto rows = network_.labels();
  const auto loss = HostLayers<T>::cross_entropy(rows, network_.classes, batch.labels.data(),
                                                 share / static_cast<double>(rows), scores.data());
  backward(batch, step);
  return loss;
}

template <class T>
double HostNetwork<T>::accuracy(const Batch& batch) const {
  const auto rows = network_.labels(), classes = static_cast<std::size_t>(network_.classes);
  const auto* scores = values(network_.output).data();
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows; ++i, scores += classes) {
    if (std::max_element(scores, scores + classes) - scores == batch.labels[i]) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(rows);
}

template class HostNetwork<float>;
template class HostNetwork<double>;

}  // namespace rv::workers
