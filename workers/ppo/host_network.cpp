#include "workers/ppo/host_network.h"

#include <algorithm>
#include <cmath>

#include "workers/ppo/host_product.h"

namespace rv::ppo {
namespace {

/// Transposes weights, so that the product's columns are contiguous.
template <class T>
void turn(const T* weights, int outputs, int inputs, std::ptrdiff_t row, T* turned) {
  for (int i = 0; i < outputs; ++i) {
    for (int j = 0; j < inputs; ++j) turned[static_cast<std::ptrdiff_t>(j) * outputs + i] = weights[i * row + j];
  }
}

template <class T>
void elu(T* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] > 0 ? values[i] : std::expm1(values[i]);
}

/// Multiplies by ELU's slope, computed from its result: 1 above 0, else the result + 1.
template <class T>
void elu_back(const T* results, T* gradient, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (results[i] <= 0) gradient[i] *= results[i] + 1;
  }
}

template <class T>
void add_columns(const T* values, std::ptrdiff_t row, int rows, int columns, T* sums) {
  std::fill(sums, sums + columns, T(0));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) sums[j] += values[i * row + j];
  }
}

}  // namespace

template <class T>
HostNetwork<T>::HostNetwork(const Layout& layout, int most_rows) : layout_(layout) {
  const auto rows = static_cast<std::size_t>(most_rows);
  std::size_t largest = 0;
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const auto outputs = static_cast<std::size_t>(layout.outputs_of(layer));
    largest = std::max(largest, outputs * static_cast<std::size_t>(layout.inputs_of(layer)));
    if (layer == 3) continue;
    active_[static_cast<std::size_t>(layer)].resize(rows * 2 * outputs);
    back_[static_cast<std::size_t>(layer)].resize(rows * 2 * outputs);
  }
  turned_.resize(largest);
  out_.resize(rows * static_cast<std::size_t>(layout.outputs));
  d_out_.resize(out_.size());
}

template <class T>
int HostNetwork<T>::row_of(int layer) const {
  return layer == 3 ? layout_.outputs : 2 * layout_.outputs_of(layer);
}

template <class T>
typename HostNetwork<T>::Net HostNetwork<T>::part(int layer, int net) const {
  const auto i = static_cast<std::size_t>(layer);
  if (layer == 3) {
    const auto row = static_cast<std::size_t>(net == 0 ? 0 : layout_.actions);
    const int half = net * layout_.hidden[2];
    return {layout_.weights[i] + row * static_cast<std::size_t>(2 * layout_.hidden[2]) + static_cast<std::size_t>(half),
            layout_.biases[i] + row, half, static_cast<int>(row)};
  }
  const int before = net * layout_.outputs_of(layer);  // those of the other network
  const auto outputs = static_cast<std::size_t>(before);
  return {layout_.weights[i] + outputs * static_cast<std::size_t>(layout_.inputs_of(layer)),
          layout_.biases[i] + outputs, layer == 0 ? 0 : net * layout_.hidden[i - 1], static_cast<int>(outputs)};
}

template <class T>
void HostNetwork<T>::forward(const T* parameters, const T* observations, int rows) {
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const auto i = static_cast<std::size_t>(layer);
    const T* const in = layer == 0 ? observations : active_[i - 1].data();
    const int in_row = layer == 0 ? layout_.width : row_of(layer - 1);
    T* const result = layer == 3 ? out_.data() : active_[i].data();
    for (int net = 0; net < 2; ++net) {
      const auto own = part(layer, net);
      const int inputs = layer == 0 ? layout_.observations : layout_.hidden[i - 1];
      const int outputs = layer < 3 ? layout_.hidden[i] : (net == 0 ? layout_.actions : 1);
      turn(parameters + own.weights, outputs, inputs, layout_.inputs_of(layer), turned_.data());
      multiply<T>({in + own.column, in_row, 1}, turned_.data(), outputs, parameters + own.biases,
                  result + own.outputs_column, row_of(layer), rows, outputs, inputs);
    }
    if (layer < 3) elu(result, static_cast<std::size_t>(rows) * static_cast<std::size_t>(row_of(layer)));
  }
}

template <class T>
void HostNetwork<T>::backward(const T* parameters, const T* observations, int rows, T* gradients) {
  for (int layer = 3; layer >= 0; --layer) {
    const auto i = static_cast<std::size_t>(layer);
    T* const down = layer == 3 ? d_out_.data() : back_[i].data();
    if (layer < 3) {
      elu_back(active_[i].data(), down, static_cast<std::size_t>(rows) * static_cast<std::size_t>(row_of(layer)));
    }
    const T* const in = layer == 0 ? observations : active_[i - 1].data();
    const int in_row = layer == 0 ? layout_.width : row_of(layer - 1);
    for (int net = 0; net < 2; ++net) {
      const auto own = part(layer, net);
      const int inputs = layer == 0 ? layout_.observations : layout_.hidden[i - 1];
      const int outputs = layer < 3 ? layout_.hidden[i] : (net == 0 ? layout_.actions : 1);
      const T* const from = down + own.outputs_column;
      multiply<T>({from, 1, row_of(layer)}, in + own.column, in_row, nullptr, gradients + own.weights,
                  layout_.inputs_of(layer), outputs, inputs, rows);
      add_columns(from, row_of(layer), rows, outputs, gradients + own.biases);
      if (layer == 0) continue;
      multiply<T>({from, row_of(layer), 1}, parameters + own.weights, layout_.inputs_of(layer), nullptr,
                  back_[i - 1].data() + own.column, in_row, rows, inputs, outputs);
    }
  }
}

template class HostNetwork<float>;
template class HostNetwork<double>;

}  // namespace rv::ppo
