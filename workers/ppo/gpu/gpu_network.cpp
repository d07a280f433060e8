#include "workers/ppo/gpu/gpu_network.h"

#include <stdexcept>

#include "workers/ppo/gpu/collect_kernels.h"

namespace rv::ppo {

using workers::CublasProduct;
using workers::ProductShape;

// Our rows are cuBLASLt's columns: y = x · Wᵀ in row-major order is Wᵀ (transposed) times x in column-major order.
GpuNetwork::GpuNetwork(const Layout& layout, const GpuShape& shape, workers::GpuPrecision precision,
                       const GpuArrays& arrays)
    : layout_(layout), shape_(shape), precision_(precision), type_(workers::storage_of(precision)), arrays_(arrays) {
  if (library_.create(&handle_) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLASLt does not start");
  acting_ = make_forward(shape.environments);
  learning_ = make_forward(shape.rows);
  const std::int64_t chunk = shape.rows / shape.slices;
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const bool whole = layer == 0 || layer == 3;  // one product, or one per network
    const std::int64_t before = layer == 0 ? layout.width : 2 * layout.hidden[static_cast<std::size_t>(layer - 1)];
    const std::int64_t behind = layer == 3 ? layout.outputs : 2 * layout.outputs_of(layer);
    ProductShape s;
    s.m = whole ? before : before / 2;
    s.n = whole ? behind : behind / 2;
    s.k = chunk;
    s.turn_b = true;
    s.lda = before;
    s.ldb = behind;
    s.ldd = s.m;
    s.batch = shape.slices;
    s.stride_a = chunk * before;
    s.stride_b = chunk * behind;
    s.stride_d = static_cast<std::int64_t>(layout.biases[0]);
    s.wide_result = true;
    weights_back_.push_back(make(s));
    if (layer == 0) continue;
    ProductShape down;
    down.m = s.m;
    down.n = shape.rows;
    down.k = s.n;
    down.lda = s.m;
    down.ldb = behind;
    down.ldd = before;
    down.batch = whole ? 1 : 2;
    down.stride_a = s.m * s.n;
    down.stride_b = s.n;
    down.stride_d = s.m;
    inputs_back_.push_back(make(down));
  }
}

GpuNetwork::~GpuNetwork() {
  for (auto* const products : {&acting_, &learning_, &weights_back_, &inputs_back_}) products->clear();
  if (handle_ != nullptr) library_.destroy(handle_);
}

std::unique_ptr<CublasProduct> GpuNetwork::make(const ProductShape& shape) const {
  auto product = std::make_unique<CublasProduct>(library_, handle_, precision_, shape, product_workspace);
  if (product->algorithms() == 0) throw std::runtime_error("cuBLASLt has no algorithm for a layer on this GPU");
  return product;  // the first proposal, so that every run and every rank uses the same algorithm
}

GpuNetwork::Products GpuNetwork::make_forward(int rows) const {
  Products products;
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const bool whole = layer == 0 || layer == 3;
    const std::int64_t before = layer == 0 ? layout_.width : 2 * layout_.hidden[static_cast<std::size_t>(layer - 1)];
    const std::int64_t behind = layer == 3 ? layout_.outputs : 2 * layout_.outputs_of(layer);
    ProductShape s;
    s.m = whole ? behind : behind / 2;
    s.n = rows;
    s.k = whole ? before : before / 2;
    s.turn_a = true;
    s.lda = s.k;
    s.ldb = before;
    s.ldd = behind;
    s.batch = whole ? 1 : 2;
    s.stride_a = s.m * s.k;
    s.stride_b = s.k;
    s.stride_d = s.m;
    s.wide_result = layer == 3;
    products.push_back(make(s));
  }
  return products;
}

void* GpuNetwork::plus(void* base, std::size_t elements) const {
  return static_cast<char*>(base) + elements * workers::gpu_bytes(type_);
}
const void* GpuNetwork::plus(const void* base, std::size_t elements) const {
  return static_cast<const char*>(base) + elements * workers::gpu_bytes(type_);
}

const void* GpuNetwork::weights(int layer) const {
  return plus(arrays_.narrow, layout_.weights[static_cast<std::size_t>(layer)]);
}

void GpuNetwork::run(const CublasProduct& product, const void* a, const void* b, void* d, cudaStream_t stream) const {
  product.run(1, a, b, 0, d, arrays_.workspace, stream);
}

void GpuNetwork::run_forward(const Products& products, const void* observations, int rows, cudaStream_t stream) const {
  const void* in = observations;
  for (std::size_t layer = 0; layer < 3; ++layer) {
    run(*products[layer], weights(static_cast<int>(layer)), in, arrays_.active[layer], stream);
    bias_elu(type_, arrays_.active[layer], arrays_.parameters + layout_.biases[layer], rows, 2 * layout_.hidden[layer],
             stream);
    in = arrays_.active[layer];
  }
  run(*products[3], weights(3), in, arrays_.out, stream);
}

void GpuNetwork::act(const void* observations, cudaStream_t stream) const {
  run_forward(acting_, observations, shape_.environments, stream);
}

void GpuNetwork::forward(const void* observations, cudaStream_t stream) const {
  run_forward(learning_, observations, shape_.rows, stream);
}

void GpuNetwork::weights_back(int layer, const void* observations, cudaStream_t stream) const {
  const auto i = static_cast<std::size_t>(layer);
  const void* const in = layer == 0 ? observations : arrays_.active[i - 1];
  const void* const down = layer == 3 ? arrays_.d_out : arrays_.back[i];
  float* const to = arrays_.slices + layout_.weights[i];
  run(*weights_back_[i], in, down, to, stream);
  if (layer == 0 || layer == 3) return;
  const auto before = static_cast<std::size_t>(layout_.hidden[i - 1]),
             behind = static_cast<std::size_t>(layout_.hidden[i]);
  run(*weights_back_[i], plus(in, before), plus(down, behind), to + before * behind, stream);
}

void GpuNetwork::inputs_back(int layer, cudaStream_t stream) const {
  const auto i = static_cast<std::size_t>(layer);
  const void* const down = layer == 3 ? arrays_.d_out : arrays_.back[i];
  run(*inputs_back_[i - 1], weights(layer), down, arrays_.back[i - 1], stream);
}

}  // namespace rv::ppo
