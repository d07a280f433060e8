#pragma once

#include <memory>
#include <vector>

#include "workers/ppo/gpu/gpu_arrays.h"
#include "workers/training/gpu/libraries/gpu_product.h"

namespace rv::ppo {

/// The products of actor and critic on a GPU, for both networks together. The learner does the steps in between
/// (biases, ELU, loss).
class GpuNetwork {
 public:
  GpuNetwork(const Layout& layout, const GpuShape& shape, workers::GpuPrecision precision, const GpuArrays& arrays);
  ~GpuNetwork();
  GpuNetwork(const GpuNetwork&) = delete;
  GpuNetwork& operator=(const GpuNetwork&) = delete;

  /// From padded rows of observations, one per environment, to arrays.out, without the last biases.
  void act(const void* observations, cudaStream_t stream) const;
  /// The same for the rows of a mini-batch.
  void forward(const void* observations, cudaStream_t stream) const;

  /// From the gradient of the layer's outputs (arrays.back or d_out) to the slices of its weights' gradients.
  void weights_back(int layer, const void* observations, cudaStream_t stream) const;
  /// The gradient of its inputs, arrays.back of the previous layer; not for the first layer.
  void inputs_back(int layer, cudaStream_t stream) const;

 private:
  using Products = std::vector<std::unique_ptr<workers::CublasProduct>>;
  Products make_forward(int rows) const;
  void run_forward(const Products& products, const void* observations, int rows, cudaStream_t stream) const;
  std::unique_ptr<workers::CublasProduct> make(const workers::ProductShape& shape) const;
  const void* weights(int layer) const;
  void* plus(void* base, std::size_t elements) const;
  const void* plus(const void* base, std::size_t elements) const;
  void run(const workers::CublasProduct& product, const void* a, const void* b, void* d, cudaStream_t stream) const;

  Layout layout_;
  GpuShape shape_;
  workers::GpuPrecision precision_;
  workers::GpuType type_;
  GpuArrays arrays_;
  workers::CublasLt library_;
  cublasLtHandle_t handle_ = nullptr;
  Products acting_, learning_, weights_back_, inputs_back_;
};

}  // namespace rv::ppo
