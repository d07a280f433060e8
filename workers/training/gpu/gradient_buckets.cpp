#include "workers/training/gpu/gradient_buckets.h"

#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/least_work.h"

namespace rv::workers {
namespace {

constexpr std::size_t bucket_elements = std::size_t{25} << 18;  // 25 MiB of fp32, as PyTorch's

}  // namespace

void GradientBuckets::finished(std::size_t from) {
  if (unsent_ - from < bucket_elements && from != 0) return;
  flush(from, unsent_);
  unsent_ = from;
}

void GradientBuckets::flush(std::size_t begin, std::size_t end) {
  const auto first = stretches_.size();
  std::int64_t most = 0;
  std::size_t narrow = 0;
  if (step_.type != GpuType::fp32) {
    for (const auto& layer : step_.network.layers) {
      if (layer.kind != LayerKind::convolution) continue;
      const auto& p = step_.network.parameter(layer.weight);
      if (p.offset < begin || p.offset >= end) continue;
      stretches_.push_back({static_cast<std::int64_t>(p.offset), static_cast<std::int64_t>(p.count)});
      most = std::max(most, stretches_.back().count);
      narrow += p.count;
    }
  }
  const auto stretches = static_cast<int>(stretches_.size() - first);
  const bool all = end == step_.network.parameter_space;
  step_.work.add(
      "update",
      [=, this](cudaStream_t stream) {
        const auto& numbers = step_.numbers;
        auto* const side = step_.work.side();
        step_.work.fork(stream, side);
        widen(step_.type, stretches_there_ + first, stretches, most, step_.narrow_gradients, numbers.gradients, side);
        if (step_.request.all_reduce && with_ranks) {
          step_.request.all_reduce(numbers.gradients + begin, end - begin + (all ? GpuNumbers::passengers : 0), side);
        }
        if (step_.request.precision == GpuPrecision::fp16) return;  // only once all are known to be numbers
        update(step_.type, {numbers.parameters, numbers.momentum, numbers.gradients, step_.narrow_parameters},
               static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin), step_.request.rate,
               numbers.state, side);
      },
      least_update(step_, end - begin, narrow));
}

void GradientBuckets::close() {
  step_.work.add("step", [this](cudaStream_t stream) { step_.work.fork(step_.work.side(), stream); });
  if (step_.request.precision == GpuPrecision::fp16) {
    step_.work.add("step", [this](cudaStream_t stream) {
      const auto& numbers = step_.numbers;
      const auto count = static_cast<std::int64_t>(step_.network.parameter_space);
      find_overflow(numbers.gradients, count, numbers.state, stream);
      update(step_.type, {numbers.parameters, numbers.momentum, numbers.gradients, step_.narrow_parameters}, 0, count,
             step_.request.rate, numbers.state, stream);
      adjust_scale(numbers.state, stream);
    });
  }
  if (step_.request.rehearsal) return;
  stretches_there_ = step_.memory.keep_array<ParameterRange>(stretches_.size() + 1);
  cuda_call(cudaMemcpy(stretches_there_, stretches_.data(), stretches_.size() * sizeof(ParameterRange),
                       cudaMemcpyHostToDevice),
            "copy to the GPU");
}

}  // namespace rv::workers
