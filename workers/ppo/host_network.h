#pragma once

#include <array>
#include <vector>

#include "workers/ppo/layout.h"

namespace rv::ppo {

/// The actor's and the critic's network on the host, in float, or in double for checks.
template <class T>
class HostNetwork {
 public:
  HostNetwork(const Layout& layout, int most_rows);

  /// `observations`: rows × layout.width. Afterwards `out` has layout.outputs numbers per row: the means of the
  /// actions, then the value.
  void forward(const T* parameters, const T* observations, int rows);
  const T* out() const { return out_.data(); }

  /// The gradient with respect to `out`; the caller fills it between forward and backward.
  T* d_out() { return d_out_.data(); }
  /// The gradient for the rows of the last `forward`. Overwrites `gradients`, except for log_std.
  void backward(const T* parameters, const T* observations, int rows, T* gradients);

 private:
  struct Net {
    std::size_t weights, biases;
    int column;  ///< column where this network's part of a row of activations begins, before and after the layer
    int outputs_column;
  };
  Net part(int layer, int net) const;
  int row_of(int layer) const;  ///< width of a row of activations after the layer

  Layout layout_;
  std::array<std::vector<T>, 3> active_, back_;
  std::vector<T> out_, d_out_, turned_;
};

}  // namespace rv::ppo
