#include "workers/training/gpu/gradient_buckets.h"

#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

/// 25 MiB of parameters in fp32, like PyTorch's buckets.
constexpr std::size_t added_bucket = std::size_t{25} << 18;

/// Ranks wait for each other in each bucket, so few buckets are better; the last one is not overlapped, so it should be
/// small. Each takes half of the remaining parameters.
std::size_t exchanged_bucket(std::size_t left) {
  constexpr std::size_t least = std::size_t{1} << 21, most = 8 * added_bucket;
  return std::clamp(left / 2, least, most);
}

}  // namespace

GradientBuckets::GradientBuckets(GpuStep& step) : step_(step), unsent_(step.network.parameter_space) {
  if (step.request.exchanges_gradients()) sharded_.emplace(step);
}

void GradientBuckets::finished(std::size_t from) {
  if (from < step_.network.fp32_space) return;
  if (unsent_ - from < (sharded_ ? exchanged_bucket(unsent_) : added_bucket)) return;
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
  const bool of_one_rank = !with_ranks || step_.request.world == 1;
  return step_.gradients(of_one_rank && step_.type != GpuType::fp32 ? Gradients::From::kinds : Gradients::From::wide);
}

void GradientBuckets::add_up(const Gradients& gradients, std::size_t begin, std::size_t end, cudaStream_t stream) {
  if (!with_ranks || step_.request.world == 1) return;
  const auto first = static_cast<std::int64_t>(begin), count = static_cast<std::int64_t>(end - begin);
  const bool last_parameters = end == step_.network.parameter_space;  // which the backward pass completes first
  if (step_.type != GpuType::fp32) widen(gradients, first, count, stream);
  step_.request.all_reduce(gradients.wide + begin, end - begin + (last_parameters ? ExchangeSpace::passengers : 0),
                           stream);
}

void GradientBuckets::flush(std::size_t begin, std::size_t end) {
  const bool at_once = step_.request.precision != GpuPrecision::fp16;  // else after all are known to be finite
  const auto bucket = sharded_ ? sharded_->add_bucket(begin, end) : ShardedUpdate::Bucket{};
  step_.work.add(
      "update",
      [=, this](cudaStream_t stream) {
        auto* const side = step_.work.side();
        step_.work.fork(stream, side);
        if (sharded_ && with_ranks) {
          sharded_->exchange(bucket, side);
          if (at_once) sharded_->move(bucket, side);
          return;
        }
        const auto all = gradients();
        add_up(all, begin, end, side);
        if (!at_once) return;
        update(all, step_.update_memory(), static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin),
               step_.request.rate, step_.numbers.state, side);
      },
      least_update(step_, end - begin, narrow_among(begin, end)));
}

void GradientBuckets::update_after_all(cudaStream_t stream) {
  auto* const state = step_.numbers.state;
  if (sharded_ && with_ranks) {
    sharded_->agree_on_overflow(stream);
    sharded_->move_all(stream);
  } else {
    const auto count = static_cast<std::int64_t>(step_.network.parameter_space);
    find_overflow(gradients(), count, state, stream);
    update(gradients(), step_.update_memory(), 0, count, step_.request.rate, state, stream);
  }
  adjust_scale(state, stream);
}

void GradientBuckets::close() {
  flush(0, unsent_);
  step_.work.add("step", [this](cudaStream_t stream) {
    auto* const side = step_.work.side();
    if (step_.request.precision == GpuPrecision::fp16) update_after_all(side);
    if (sharded_ && with_ranks) sharded_->finish(side);
    step_.work.fork(side, stream);
  });
  if (step_.request.rehearsal) return;
  cuda_call(cudaMemcpy(step_.numbers.kinds, step_.kinds.data(), step_.kinds.size() * sizeof(GradientKind),
                       cudaMemcpyHostToDevice),
            "copy to the GPU");
}

void GradientBuckets::widen_all(cudaStream_t stream) {
  if (step_.type == GpuType::fp32) return;
  widen(gradients(), 0, static_cast<std::int64_t>(step_.network.parameter_space), stream);
}

void GradientBuckets::gather(cudaStream_t stream) {
  if (sharded_) sharded_->gather(stream);
}

}  // namespace rv::workers
