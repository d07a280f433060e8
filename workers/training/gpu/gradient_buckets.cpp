#include "workers/training/gpu/gradient_buckets.h"

#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

/// Parameters of 25 MiB in fp32, as PyTorch's buckets.
constexpr std::size_t added_bucket = std::size_t{25} << 18;

/// Ranks meet in each bucket and the slower one is waited for, so that few are better; nothing hides the last, which
/// should be small. So each takes half of what is left.
std::size_t exchanged_bucket(std::size_t left) {
  constexpr std::size_t least = std::size_t{1} << 21, most = 8 * added_bucket;
  return std::clamp(left / 2, least, most);
}

}  // namespace

GradientBuckets::GradientBuckets(GpuStep& step) : step_(step), unsent_(step.network.parameter_space) {
  kinds_ = step.memory.keep_array<GradientKind>(step.kinds.size());
}

void GradientBuckets::finished(std::size_t from) {
  const auto enough = step_.request.exchanges_gradients() ? exchanged_bucket(unsent_) : added_bucket;
  if (unsent_ - from < enough && from != 0) return;
  flush(from, unsent_);
  unsent_ = from;
}

std::size_t GradientBuckets::narrow_among(std::size_t begin, std::size_t end) const {
  const auto at = [this](std::size_t parameter) {
    return step_.kinds.begin() + static_cast<std::ptrdiff_t>(parameter / gradient_block);
  };
  return gradient_block * static_cast<std::size_t>(std::count(at(begin), at(end), GradientKind::narrow));
}

Gradients GradientBuckets::gradients() const {
  Gradients all{Gradients::From::wide, step_.type, step_.numbers.gradients, step_.narrow_gradients, nullptr, kinds_};
  if (step_.type == GpuType::fp32) return all;
  if (with_ranks && step_.request.exchange != nullptr) {
    all.from = Gradients::From::pair;
    all.others = step_.request.exchange->received();
  } else if (!with_ranks || step_.request.world == 1) {
    all.from = Gradients::From::kinds;
  }
  return all;
}

void GradientBuckets::make_ready(const Gradients& gradients, std::size_t begin, std::size_t end, cudaStream_t stream) {
  if (!with_ranks || step_.request.world == 1) return;
  const auto first = static_cast<std::int64_t>(begin), count = static_cast<std::int64_t>(end - begin);
  const bool last_parameters = end == step_.network.parameter_space;  // which the backward pass finishes first
  if (gradients.from == Gradients::From::pair) {
    narrow(gradients, first, count, stream);
    const auto bytes = gpu_bytes(step_.type);
    step_.request.exchange->swap(static_cast<const char*>(gradients.narrow) + begin * bytes, begin * bytes,
                                 (end - begin) * bytes, stream);
    if (last_parameters) {
      auto* const passengers = gradients.wide + end;
      step_.request.exchange->swap(passengers, end * bytes, GpuNumbers::passengers * sizeof(float), stream);
      const auto* const others = static_cast<const char*>(gradients.others) + end * bytes;
      add(reinterpret_cast<const float*>(others), GpuNumbers::passengers, passengers, stream);
    }
    return;
  }
  if (step_.type != GpuType::fp32) widen(gradients, first, count, stream);
  step_.request.all_reduce(gradients.wide + begin, end - begin + (last_parameters ? GpuNumbers::passengers : 0),
                           stream);
}

UpdateMemory GradientBuckets::update_memory() const {
  return {step_.numbers.parameters, step_.numbers.momentum, step_.narrow_parameters};
}

void GradientBuckets::flush(std::size_t begin, std::size_t end) {
  step_.work.add(
      "update",
      [begin, end, this](cudaStream_t stream) {
        auto* const side = step_.work.side();
        step_.work.fork(stream, side);
        const auto all = gradients();
        make_ready(all, begin, end, side);
        if (step_.request.precision == GpuPrecision::fp16) return;  // only once all are known to be numbers
        update(all, update_memory(), static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin),
               step_.request.rate, step_.numbers.state, side);
      },
      least_update(step_, end - begin, narrow_among(begin, end)));
}

void GradientBuckets::close() {
  step_.work.add("step", [this](cudaStream_t stream) { step_.work.fork(step_.work.side(), stream); });
  if (step_.request.precision == GpuPrecision::fp16) {
    step_.work.add("step", [this](cudaStream_t stream) {
      const auto& numbers = step_.numbers;
      const auto count = static_cast<std::int64_t>(step_.network.parameter_space);
      find_overflow(gradients(), count, numbers.state, stream);
      update(gradients(), update_memory(), 0, count, step_.request.rate, numbers.state, stream);
      adjust_scale(numbers.state, stream);
    });
  }
  if (step_.request.exchange != nullptr) {
    step_.work.add("step", [this](cudaStream_t stream) {
      if (with_ranks) step_.request.exchange->used(stream);
    });
  }
  if (step_.request.rehearsal) return;
  cuda_call(cudaMemcpy(kinds_, step_.kinds.data(), step_.kinds.size() * sizeof(GradientKind), cudaMemcpyHostToDevice),
            "copy to the GPU");
}

void GradientBuckets::widen_all(cudaStream_t stream) {
  if (step_.type == GpuType::fp32) return;
  widen(gradients(), 0, static_cast<std::int64_t>(step_.network.parameter_space), stream);
}

}  // namespace rv::workers
