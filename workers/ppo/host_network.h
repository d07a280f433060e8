#pragma once

#include <array>
#include <vector>

#include "workers/ppo/layout.h"

namespace rv::ppo {

/// Actor and critic on the host, in float, or in double for the checks.
template <class T>
class HostNetwork {
 public:
  HostNetwork(const Layout& layout, int most_rows);

  /// `observations`: rows × layout.width. Afterwards `out` has layout.outputs numbers a row: actions' means, the value.
  void forward(const T* parameters, const T* observations, int rows);
  const T* out() const { return out_.data(); }

  /// The gradient by `out`, to be filled between forward and backward.
  T* d_out() { return d_out_.data(); }
  /// Of what `forward` was last called with; overwrites `gradients`, but for log_std.
  void backward(const T* parameters, const T* observations, int rows, T* gradients);

 private:
  struct Net {
    std::size_t weights, biases;
    int column;  ///< where this net's part of a row of activations begins, before and behind the layer
    int outputs_column;
  };
  Net part(int layer, int net) const;
  int row_of(int layer) const;  ///< of activations behind the layer

  Layout layout_;
  std::array<std::vector<T>, 3> active_, back_;
  std::vector<T> out_, d_out_, turned_;
};

}  // namespace rv::ppo
