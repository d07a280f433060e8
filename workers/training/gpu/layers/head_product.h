#pragma once

#include <memory>
#include <string>

#include "workers/training/gpu/libraries/gpu_product.h"
#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// The matrices of one operand, one for each head of each sample; strides are in elements.
struct HeadMatrices {
  const void* first;
  std::int64_t lead, by_head, by_sample;
};

/// A product for every head of every sample, for attention. cuBLASLt supports one stride between matrices, but there
/// are two here. So there is either one call per sample, or one call with an address for each matrix: whichever is
/// faster with the content of the operands at construction. In a rehearsal it only counts memory.
class HeadProduct {
 public:
  /// `shape`: m, n, k and which operands are transposed.
  HeadProduct(GpuStep& step, const std::string& what, ProductShape shape, const HeadMatrices& a, const HeadMatrices& b,
              const HeadMatrices& d, int samples, int heads);

  void run(float alpha, cudaStream_t stream) const;

 private:
  void prepare_addresses(ProductShape shape);

  GpuStep& step_;
  HeadMatrices a_, b_, d_;
  int samples_, heads_;
  void* addresses_;  ///< of all a, then all b, then all d
  std::unique_ptr<CublasProduct> of_sample_, of_all_;
  bool all_ = false;
};

}  // namespace rv::workers
