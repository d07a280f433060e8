#include "workers/training/gpu/gradient_buckets.h"

#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

/// Parameters of 25 MiB in fp32, as PyTorch's buckets.
constexpr std::size_t least_bucket = std::size_t{25} << 18, most_bucket = 8 * least_bucket;

/// Ranks meet in each bucket and the slower one is waited for, so that few are better; nothing hides the last, which
/// should be small. So each takes half of what is left.
std::size_t exchanged_bucket(std::size_t left) {
  return std::clamp(left / 2, least_bucket, most_bucket);
}

}  // namespace

void GradientBuckets::finished(std::size_t from) {
  const auto enough = step_.request.exchanges_gradients() ? exchanged_bucket(unsent_) : least_bucket;
  if (unsent_ - from < enough && from != 0) return;
  flush(from, unsent_);
  unsent_ = from;
}

bool GradientBuckets::comes_narrow(const Layer& layer) const {
  return layer.kind == LayerKind::convolution && step_.type != GpuType::fp32;
}

void GradientBuckets::note(Ranges& ranges, std::size_t offset, std::size_t count) {
  ranges_.push_back({static_cast<std::int64_t>(offset), static_cast<std::int64_t>(count)});
  ++ranges.count;
  ranges.longest = std::max(ranges.longest, ranges_.back().count);
  ranges.parameters += count;
}

GradientBuckets::Bucket GradientBuckets::bucket(std::size_t begin, std::size_t end) {
  Bucket bucket{begin, end, {}, {}, end == step_.network.parameter_space};
  std::vector<std::size_t> edges{begin};  // pairs: what lies between two convolutions
  bucket.narrow.first = ranges_.size();
  for (const auto& layer : step_.network.layers) {
    if (!comes_narrow(layer)) continue;
    const auto& p = step_.network.parameter(layer.weight);
    if (p.offset < begin || p.offset >= end) continue;
    note(bucket.narrow, p.offset, p.count);
    edges.insert(edges.end(), {p.offset, p.offset + p.count});
  }
  edges.push_back(end);
  bucket.wide.first = ranges_.size();
  if (!step_.request.exchanges_gradients()) return bucket;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    if (edges[i] < edges[i + 1]) note(bucket.wide, edges[i], edges[i + 1] - edges[i]);
  }
  return bucket;
}

void GradientBuckets::add_up(const Bucket& bucket, cudaStream_t stream) {
  auto* const gradients = step_.numbers.gradients;
  widen(step_.type, there(bucket.narrow), bucket.narrow.count, bucket.narrow.longest, step_.narrow_gradients, gradients,
        stream);
  if (!step_.request.all_reduce || !with_ranks) return;
  const auto passengers = bucket.first ? GpuNumbers::passengers : 0;
  step_.request.all_reduce(gradients + bucket.begin, bucket.end - bucket.begin + passengers, stream);
}

RankGradients GradientBuckets::of_all(const Bucket& bucket) const {
  const auto world = static_cast<std::size_t>(step_.request.world);
  return {static_cast<char*>(step_.gradients_of_all) + world * bucket.begin * gpu_bytes(step_.type),
          static_cast<std::int64_t>(bucket.begin), static_cast<std::int64_t>(bucket.end - bucket.begin),
          step_.request.world};
}

void GradientBuckets::exchange(const Bucket& bucket, cudaStream_t stream) {
  const auto& numbers = step_.numbers;
  const auto bytes = gpu_bytes(step_.type);
  narrow(step_.type, there(bucket.wide), bucket.wide.count, bucket.wide.longest, numbers.gradients,
         step_.narrow_gradients, stream);
  auto* const mine = static_cast<char*>(step_.narrow_gradients) + bucket.begin * bytes;
  auto* const all = const_cast<void*>(of_all(bucket).narrow);
  step_.request.all_gather(mine, all, (bucket.end - bucket.begin) * bytes, stream);
  if (bucket.first) {
    step_.request.all_reduce(numbers.gradients + step_.network.parameter_space, GpuNumbers::passengers, stream);
  }
}

UpdateMemory GradientBuckets::update_memory() const {
  const auto& numbers = step_.numbers;
  return {numbers.parameters, numbers.momentum, numbers.gradients, step_.narrow_parameters};
}

void GradientBuckets::flush(std::size_t begin, std::size_t end) {
  const auto made = bucket(begin, end);
  step_.work.add(
      "update",
      [made, this](cudaStream_t stream) {
        auto* const side = step_.work.side();
        step_.work.fork(stream, side);
        const auto& request = step_.request;
        const bool last = request.precision == GpuPrecision::fp16;  // only once all are known to be numbers
        const auto count = static_cast<std::int64_t>(made.end - made.begin);
        if (with_ranks && request.exchanges_gradients()) {
          exchange(made, side);
          if (last) return add_ranks(step_.type, of_all(made), step_.numbers.gradients, side);
          return update(step_.type, update_memory(), of_all(made), request.rate, step_.numbers.state, side);
        }
        add_up(made, side);
        if (last) return;
        update(step_.type, update_memory(), static_cast<std::int64_t>(made.begin), count, request.rate,
               step_.numbers.state, side);
      },
      least_update(step_, end - begin, made.narrow.parameters));
}

void GradientBuckets::close() {
  step_.work.add("step", [this](cudaStream_t stream) { step_.work.fork(step_.work.side(), stream); });
  if (step_.request.precision == GpuPrecision::fp16) {
    step_.work.add("step", [this](cudaStream_t stream) {
      const auto& numbers = step_.numbers;
      const auto count = static_cast<std::int64_t>(step_.network.parameter_space);
      find_overflow(numbers.gradients, count, numbers.state, stream);
      update(step_.type, update_memory(), 0, count, step_.request.rate, numbers.state, stream);
      adjust_scale(numbers.state, stream);
    });
  }
  if (step_.request.rehearsal) return;
  ranges_there_ = step_.memory.keep_array<ParameterRange>(ranges_.size() + 1);
  cuda_call(cudaMemcpy(ranges_there_, ranges_.data(), ranges_.size() * sizeof(ParameterRange), cudaMemcpyHostToDevice),
            "copy to the GPU");
}

}  // namespace rv::workers
