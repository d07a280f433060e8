#include "workers/training/gpu/layers/head_product.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "workers/devices/cuda_call.h"

namespace rv::workers {

HeadProduct::HeadProduct(GpuStep& step, const std::string& what, ProductShape shape, const HeadMatrices& a,
                         const HeadMatrices& b, const HeadMatrices& d, int samples, int heads)
    : step_(step), a_(a), b_(b), d_(d), samples_(samples), heads_(heads) {
  const auto matrices = static_cast<std::size_t>(samples) * static_cast<std::size_t>(heads);
  addresses_ = step.memory.keep(3 * matrices * sizeof(void*));
  if (step.request.rehearsal) return;
  shape.lda = a.lead;
  shape.ldb = b.lead;
  shape.ldd = d.lead;
  prepare_addresses(shape);
  shape.batch = heads;
  shape.stride_a = a.by_head;
  shape.stride_b = b.by_head;
  shape.stride_d = d.by_head;
  of_sample_ = std::make_unique<CublasProduct>(step.libraries->lt, step.libraries->lt_handle, step.request.precision,
                                               shape, step.workspace_bytes);
  const auto ways = of_sample_->algorithms();
  step.tuner.tune(
      fmt::format("{} {}x{}x{} batch {} by {}", what, shape.m, shape.n, shape.k, samples, heads),
      ways + (of_all_ ? of_all_->algorithms() : 0),
      [this, ways](std::size_t way) {
        all_ = way >= ways;
        (all_ ? *of_all_ : *of_sample_).choose(all_ ? way - ways : way);
      },
      [this](cudaStream_t stream) { run(1, stream); }, step.work.main());
}

void HeadProduct::prepare_addresses(ProductShape shape) {
  const auto size = static_cast<std::int64_t>(gpu_bytes(step_.type));
  std::vector<const char*> addresses;
  for (const auto& operand : {a_, b_, d_}) {
    for (std::int64_t sample = 0; sample < samples_; ++sample) {
      for (std::int64_t head = 0; head < heads_; ++head) {
        addresses.push_back(static_cast<const char*>(operand.first) +
                            (sample * operand.by_sample + head * operand.by_head) * size);
      }
    }
  }
  cuda_call(cudaMemcpy(addresses_, addresses.data(), addresses.size() * sizeof(char*), cudaMemcpyHostToDevice),
            "copy addresses to the GPU");
  shape.batch = std::int64_t{samples_} * heads_;
  shape.by_addresses = true;
  auto made = std::make_unique<CublasProduct>(step_.libraries->lt, step_.libraries->lt_handle, step_.request.precision,
                                              shape, step_.workspace_bytes);
  if (made->algorithms() > 0) of_all_ = std::move(made);
}

void HeadProduct::run(float alpha, cudaStream_t stream) const {
  if (all_) {
    const auto matrices = static_cast<std::ptrdiff_t>(samples_) * heads_;
    auto* const addresses = static_cast<void**>(addresses_);
    return of_all_->run(alpha, addresses, addresses + matrices, 0, addresses + 2 * matrices, step_.workspace, stream);
  }
  const auto size = static_cast<std::int64_t>(gpu_bytes(step_.type));
  const auto at = [size](const HeadMatrices& operand, std::int64_t sample) {
    return static_cast<const char*>(operand.first) + sample * operand.by_sample * size;
  };
  for (std::int64_t sample = 0; sample < samples_; ++sample) {
    of_sample_->run(alpha, at(a_, sample), at(b_, sample), 0, const_cast<char*>(at(d_, sample)), step_.workspace,
                    stream);
  }
}

}  // namespace rv::workers
