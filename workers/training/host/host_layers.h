#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workers/training/network/network.h"

namespace rv::workers {

/// The layers on the CPU, in float for training and in double as the reference: loops in a fixed order, so that the
/// same numbers give the same bits. Backward functions add to the gradients that they are given, so that a tensor that
/// several layers read gets the sum; a null gradient is not computed.
template <class T>
struct HostLayers {
  static void convolution(const TensorShape& in, const TensorShape& out, const Layer& layer, const T* x, const T* w,
                          T* y);
  static void convolution_back(const TensorShape& in, const TensorShape& out, const Layer& layer, const T* x,
                               const T* w, const T* dy, T* dx, T* dw);

  /// `saved`: means, then inverse standard deviations. `running` moves by a tenth towards the values of this batch, as
  /// in PyTorch.
  static void batch_norm(const TensorShape& shape, bool relu, const T* x, const T* residual, const T* scale,
                         const T* shift, T* y, T* saved, float* running);
  static void batch_norm_back(const TensorShape& shape, bool relu, const T* x, const T* y, const T* scale,
                              const T* saved, const T* dy, T* dx, T* dresidual, T* dscale, T* dshift);

  /// `from`: the index of the input of each output.
  static void max_pool(const TensorShape& in, const TensorShape& out, const T* x, T* y, std::size_t* from);
  static void mean_pool(const TensorShape& in, const T* x, T* y);
  static void mean_pool_back(const TensorShape& in, const T* dy, T* dx);

  static void linear(std::size_t rows, int in, int out, bool relu, const T* x, const T* w, const T* b, T* y);
  static void linear_back(std::size_t rows, int in, int out, bool relu, const T* x, const T* w, const T* y, const T* dy,
                          T* dx, T* dw, T* db);

  static void embedding(const TensorShape& out, const int* tokens, const T* table, T* y);
  static void embedding_back(const TensorShape& out, const int* tokens, const T* dy, T* dtable);

  static void drop(std::size_t count, const Dropout& dropout, std::uint64_t key, const T* x, T* y);
  /// Adds to dx.
  static void drop_back(std::size_t count, const Dropout& dropout, std::uint64_t key, const T* dy, T* dx);

  /// Normalises each row of x and writes it to y; `saved` as for batch_norm, by row.
  static void layer_norm(std::size_t rows, int width, const T* x, const T* scale, const T* shift, T* y, T* saved);
  /// Sets `dx` instead of adding to it.
  static void layer_norm_back(std::size_t rows, int width, const T* x, const T* scale, const T* saved, const T* dy,
                              T* dx, T* dscale, T* dshift);

  /// `weights`: n × heads × h × h, before dropout.
  static void attention(const TensorShape& out, int heads, const Dropout& dropout, std::uint64_t key, const T* qkv,
                        T* y, T* weights);
  static void attention_back(const TensorShape& out, int heads, const Dropout& dropout, std::uint64_t key, const T* qkv,
                             const T* weights, const T* dy, T* dqkv);

  /// Returns the sum of the cross-entropy over the rows, times `scale`. `scores` is replaced by its gradient.
  static double cross_entropy(std::size_t rows, int classes, const int* labels, double scale, T* scores);
};

inline constexpr double norm_epsilon = 1e-5;
inline constexpr double running_step = 0.1;

extern template struct HostLayers<float>;
extern template struct HostLayers<double>;

}  // namespace rv::workers
