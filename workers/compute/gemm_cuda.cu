#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "workers/compute/gemm_cuda.h"
#include "workers/compute/matrix_vector.h"
#include "workers/devices/cublas_library.h"
#include "workers/devices/cuda_call.h"
#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

/// cuBLAS's parameters for each type: stored type, output type, type of the sum.
struct Recipe {
  cudaDataType_t input, output;
  cublasComputeType_t compute;
  cudaDataType_t scale;
  /// Whether A is row-major and B column-major, so that both are read along k. fp8 supports no other layout. The others
  /// are column-major: fp64 and fp32 are faster that way on Hopper.
  bool along_k;
};

Recipe recipe(NumberType type) {
  switch (type) {
    case NumberType::fp64:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, false};
    case NumberType::fp32:
      return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, false};
    case NumberType::tf32:
      return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, false};
    case NumberType::fp16:
      return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, true};
    case NumberType::bf16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, true};
    case NumberType::fp8:
      break;
  }
  return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, true};
}

template <class T>
__global__ void fill(T* data, std::uint64_t count, std::uint64_t seed) {
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = T(random_input(seed, i));
  }
}

/// result[0] += the terms of the checksum, result[1] += elements whose exponent is all ones (NaN and infinity).
template <class Bits>
__global__ void digest_bits(const Bits* data, std::uint64_t count, Bits exponent, unsigned long long* result) {
  unsigned long long sum = 0, bad = 0;
  const auto stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (auto i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += checksum_term(i, data[i]);
    if ((data[i] & exponent) == exponent) ++bad;
  }
  atomicAdd(&result[0], sum);
  atomicAdd(&result[1], bad);
}

/// In is the type of A and B, Out that of C. C is column-major.
template <class In, class Out>
class CudaProduct : public Product {
 public:
  CudaProduct(NumberType type, std::size_t n)
      : type_(type),
        recipe_(recipe(type)),
        n_(n),
        a_(n * n * sizeof(In)),
        b_(n * n * sizeof(In)),
        c_(n * n * sizeof(Out)),
        workspace_(workspace_bytes),
        result_(2 * sizeof(unsigned long long)) {
    lt_call(lt_functions_.create(&lt_), "start cuBLASLt");
    try {
      describe();
    } catch (...) {
      release();
      throw;
    }
    const auto elements = static_cast<std::uint64_t>(n) * n;
    fill<<<blocks, threads, 0, timer_.stream()>>>(a_.as<In>(), elements, 1);
    fill<<<blocks, threads, 0, timer_.stream()>>>(b_.as<In>(), elements, 2);
    cuda_call(cudaGetLastError(), "fill the matrices");
    poison();
  }
  ~CudaProduct() override { release(); }

  NumberType type() const override { return type_; }
  std::size_t size() const override { return n_; }

  int tune() override {
    int ran = 0;
    double best = 0;
    auto fastest = algorithm_;
    for (const auto& candidate : candidates_) {
      if (candidate.state != CUBLAS_STATUS_SUCCESS) continue;
      algorithm_ = candidate.algo;
      run(1);  // loads the kernel
      auto seconds = run(1);
      const bool hopeless = ran > 0 && seconds > 1.5 * best;
      if (!hopeless) seconds = std::min(run(3), run(3)) / 3;
      if (ran++ == 0 || seconds < best) {
        best = seconds;
        fastest = candidate.algo;
      }
    }
    algorithm_ = fastest;
    if (type_ == NumberType::fp64 && start_cublas()) {
      ++ran;
      use_cublas_ = true;
      run(1);
      use_cublas_ = std::min(run(3), run(3)) / 3 < best || best == 0;
    }
    return ran;
  }

  double run(int repeats) override {
    return timer_.seconds([&] {
      for (int i = 0; i < repeats; ++i) multiply();
    });
  }

  void poison() override {
    // All bits set is NaN in every output type here.
    cuda_call(cudaMemsetAsync(c_.as(), 0xff, n_ * n_ * sizeof(Out), timer_.stream()), "poison C");
    cuda_call(cudaStreamSynchronize(timer_.stream()), "poison C");
  }

  Digest digest() override {
    unsigned long long result[2] = {};
    const auto stream = timer_.stream();
    cuda_call(cudaMemsetAsync(result_.as(), 0, sizeof result, stream), "clear the digest");
    const auto elements = static_cast<std::uint64_t>(n_) * n_;
    if constexpr (sizeof(Out) == 8) {
      digest_bits<std::uint64_t><<<blocks, threads, 0, stream>>>(c_.as<std::uint64_t>(), elements, 0x7ff0000000000000U,
                                                                 result_.as<unsigned long long>());
    } else if constexpr (sizeof(Out) == 4) {
      digest_bits<std::uint32_t><<<blocks, threads, 0, stream>>>(c_.as<std::uint32_t>(), elements, 0x7f800000U,
                                                                 result_.as<unsigned long long>());
    } else {
      const std::uint16_t exponent = std::is_same_v<Out, __half> ? 0x7c00 : 0x7f80;
      digest_bits<std::uint16_t><<<blocks, threads, 0, stream>>>(c_.as<std::uint16_t>(), elements, exponent,
                                                                 result_.as<unsigned long long>());
    }
    cuda_call(cudaGetLastError(), "digest C");
    cuda_call(cudaMemcpyAsync(result, result_.as(), sizeof result, cudaMemcpyDeviceToHost, stream), "digest C");
    cuda_call(cudaStreamSynchronize(stream), "digest C");
    return {result[0], result[1]};
  }

  void inputs(std::size_t row, std::size_t column, std::span<double> a, std::span<double> b) const override {
    for (std::size_t k = 0; k < n_; ++k) {
      a[k] = static_cast<double>(In(random_input(1, recipe_.along_k ? row * n_ + k : k * n_ + row)));
      b[k] = static_cast<double>(In(random_input(2, column * n_ + k)));
    }
  }

  Projection project(std::uint64_t seed) override {
    std::vector<double> x(n_);
    for (std::size_t j = 0; j < n_; ++j) x[j] = random_sign(seed, j);
    const auto bytes = n_ * sizeof(double);
    const DeviceMemory signs(bytes), between(bytes), result(bytes);
    const auto stream = timer_.stream();
    const std::size_t a_row = recipe_.along_k ? n_ : 1, a_column = recipe_.along_k ? 1 : n_;
    Projection projection{std::vector<double>(n_), std::vector<double>(n_)};
    cuda_call(cudaMemcpyAsync(signs.as(), x.data(), bytes, cudaMemcpyHostToDevice, stream), "project C");
    multiply_vector<In>({b_.as<In>(), n_, 1, n_}, signs.as<double>(), between.as<double>(), stream);
    multiply_vector<In>({a_.as<In>(), n_, a_row, a_column}, between.as<double>(), result.as<double>(), stream);
    cuda_call(cudaMemcpyAsync(projection.expected.data(), result.as(), bytes, cudaMemcpyDeviceToHost, stream),
              "project C");
    multiply_vector<Out>({c_.as<Out>(), n_, 1, n_}, signs.as<double>(), result.as<double>(), stream);
    cuda_call(cudaMemcpyAsync(projection.got.data(), result.as(), bytes, cudaMemcpyDeviceToHost, stream), "project C");
    cuda_call(cudaStreamSynchronize(stream), "project C");
    return projection;
  }

  double output(std::size_t row, std::size_t column) const override {
    Out element;
    cuda_call(cudaMemcpy(&element, c_.as<Out>() + column * n_ + row, sizeof element, cudaMemcpyDeviceToHost),
              "read an element of C");
    return static_cast<double>(element);
  }

 private:
  static constexpr std::size_t workspace_bytes = std::size_t{64} << 20;  // for Hopper's split-K kernels
  static constexpr unsigned blocks = 1024, threads = 256;

  void lt_call(cublasStatus_t status, const char* what) const {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string(what) + ": " + lt_functions_.get_status_string(status));
  }

  /// Loads cuBLAS itself. Returns false if it can't be loaded.
  bool start_cublas() {
    try {
      cublas_functions_.emplace();
    } catch (const std::exception&) {
      return false;
    }
    return cublas_functions_->create(&cublas_) == CUBLAS_STATUS_SUCCESS &&
           cublas_functions_->set_stream(cublas_, timer_.stream()) == CUBLAS_STATUS_SUCCESS &&
           cublas_functions_->set_workspace(cublas_, workspace_.as(), workspace_bytes) == CUBLAS_STATUS_SUCCESS;
  }

  void describe() {
    lt_call(lt_functions_.desc_create(&operation_, recipe_.compute, recipe_.scale), "describe the product");
    const auto a_form = recipe_.along_k ? CUBLAS_OP_T : CUBLAS_OP_N, b_form = CUBLAS_OP_N;
    lt_call(lt_functions_.desc_set(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &a_form, sizeof a_form), "describe A");
    lt_call(lt_functions_.desc_set(operation_, CUBLASLT_MATMUL_DESC_TRANSB, &b_form, sizeof b_form), "describe B");
    const auto side = static_cast<std::uint64_t>(n_);
    const auto leading = static_cast<std::int64_t>(n_);
    lt_call(lt_functions_.layout_create(&input_, recipe_.input, side, side, leading), "describe the inputs");
    lt_call(lt_functions_.layout_create(&output_, recipe_.output, side, side, leading), "describe the output");

    lt_call(lt_functions_.preference_create(&preference_), "ask for algorithms");
    const auto bytes = static_cast<std::uint64_t>(workspace_bytes);
    lt_call(lt_functions_.preference_set(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
            "ask for algorithms");
    // An in-place reduction adds in the order in which blocks end, which would look like silent corruption.
    const std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
    lt_call(lt_functions_.preference_set(preference_, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions,
                                         sizeof reductions),
            "ask for algorithms");
    int found = 0;
    candidates_.resize(48);
    const auto status = lt_functions_.get_heuristic(lt_, operation_, input_, input_, output_, output_, preference_,
                                                    static_cast<int>(candidates_.size()), candidates_.data(), &found);
    candidates_.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(found) : 0);
    if (candidates_.empty()) {
      throw std::runtime_error("cuBLASLt has no algorithm for this type and size (fp8 wants N a multiple of 16)");
    }
    algorithm_ = candidates_.front().algo;
  }

  void multiply() {
    // alpha and beta are read in the scale type: fp64 for fp64, fp32 for all others.
    const double one = 1, zero = 0;
    const float one_float = 1, zero_float = 0;
    const bool wide = type_ == NumberType::fp64;
    if (use_cublas_) {
      const auto n = static_cast<int>(n_);
      lt_call(cublas_functions_->dgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a_.as<double>(), n,
                                       b_.as<double>(), n, &zero, c_.as<double>(), n),
              "multiply");
      return;
    }
    const auto* const alpha = wide ? static_cast<const void*>(&one) : &one_float;
    const auto* const beta = wide ? static_cast<const void*>(&zero) : &zero_float;
    lt_call(lt_functions_.matmul(lt_, operation_, alpha, a_.as(), input_, b_.as(), input_, beta, c_.as(), output_,
                                 c_.as(), output_, &algorithm_, workspace_.as(), workspace_bytes, timer_.stream()),
            "multiply");
  }

  void release() {
    if (cublas_ != nullptr) cublas_functions_->destroy(cublas_);
    if (preference_ != nullptr) lt_functions_.preference_destroy(preference_);
    if (output_ != nullptr) lt_functions_.layout_destroy(output_);
    if (input_ != nullptr) lt_functions_.layout_destroy(input_);
    if (operation_ != nullptr) lt_functions_.desc_destroy(operation_);
    if (lt_ != nullptr) lt_functions_.destroy(lt_);
  }

  NumberType type_;
  Recipe recipe_;
  std::size_t n_;
  DeviceMemory a_, b_, c_, workspace_, result_;
  Timer timer_;
  CublasLt lt_functions_;
  std::optional<Cublas> cublas_functions_;
  cublasHandle_t cublas_ = nullptr;
  bool use_cublas_ = false;  ///< use cuBLAS instead of `algorithm_`
  cublasLtHandle_t lt_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t input_ = nullptr, output_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  std::vector<cublasLtMatmulHeuristicResult_t> candidates_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace

std::unique_ptr<Product> cuda_product(NumberType type, std::size_t n) {
  switch (type) {
    case NumberType::fp64:
      return std::make_unique<CudaProduct<double, double>>(type, n);
    case NumberType::fp32:
    case NumberType::tf32:
      return std::make_unique<CudaProduct<float, float>>(type, n);
    case NumberType::fp16:
      return std::make_unique<CudaProduct<__half, __half>>(type, n);
    case NumberType::bf16:
      return std::make_unique<CudaProduct<__nv_bfloat16, __nv_bfloat16>>(type, n);
    case NumberType::fp8:
      return std::make_unique<CudaProduct<__nv_fp8_e4m3, __nv_bfloat16>>(type, n);
  }
  return nullptr;
}

}  // namespace rv::workers
