#pragma once

#include <span>
#include <vector>

#include "workers/training/data/batch.h"
#include "workers/training/host/host_layers.h"

namespace rv::workers {

/// A network on the CPU.
template <class T>
class HostNetwork {
 public:
  HostNetwork(const Network& network, std::uint64_t seed, int rank);
  /// The memory of such a network.
  static std::size_t bytes(const Network& network);

  /// Forward and backward pass of one step. The gradients and the returned loss are means over the rows, times `share`.
  double differentiate(const Batch& batch, double share, std::int64_t step);
  /// The share of the last step's rows whose label has the highest score (the first one, if several are equal).
  double accuracy(const Batch& batch) const;

  std::vector<T> parameters;
  std::vector<T> gradients;
  std::vector<float> running;
  const std::vector<T>& values(int tensor) const { return values_[static_cast<std::size_t>(tensor)]; }

 private:
  void forward(const Batch& batch, std::int64_t step);
  void backward(const Batch& batch, std::int64_t step);
  T* value(int tensor) { return tensor < 0 ? nullptr : values_[static_cast<std::size_t>(tensor)].data(); }
  T* back(int tensor) {
    return tensor < 0 || tensor == network_.input ? nullptr : back_[static_cast<std::size_t>(tensor)].data();
  }
  const T* weight(int parameter) const { return parameters.data() + network_.parameter(parameter).offset; }
  T* slope(int parameter) { return gradients.data() + network_.parameter(parameter).offset; }
  std::uint64_t key(const Layer& layer, std::int64_t step) const {
    return dropout_key(seed_, rank_, layer.dropout.id, step);
  }

  const Network& network_;
  std::uint64_t seed_;
  int rank_;
  std::vector<std::vector<T>> values_, back_, saved_;
  std::vector<std::vector<std::size_t>> places_;  ///< selected inputs of max_pool
  std::vector<T> scratch_;
};

extern template class HostNetwork<float>;
extern template class HostNetwork<double>;

}  // namespace rv::workers
