#include "workers/training/gpu/sharded_update.h"

#include <algorithm>
#include <stdexcept>

namespace rv::workers {

static_assert(GradientsSent::most == RankExchange::most_ranks);

const ShardedUpdate::Bucket& ShardedUpdate::add_bucket(std::size_t begin, std::size_t end) {
  const auto ranks = static_cast<std::size_t>(step_.request.world);
  const auto blocks = (end - std::max(begin, step_.network.fp32_space)) / gradient_block;
  const auto share = (blocks + ranks - 1) / ranks * gradient_block;
  if (placed_ + share > space().share_capacity) throw std::logic_error("gradients are sent in too many buckets");
  buckets_.reserve(ExchangeSpace::most_buckets);  // references to buckets stay valid
  buckets_.push_back({begin, end, share, placed_});
  placed_ += share;
  return buckets_.back();
}

ShardedUpdate::Range ShardedUpdate::share_of(const Bucket& bucket, int rank) const {
  const auto first = std::max(bucket.begin, step_.network.fp32_space);
  const auto at = [&](int of) { return std::min(first + static_cast<std::size_t>(of) * bucket.share, bucket.end); };
  return {at(rank), at(rank + 1)};
}

template <class Call>
void ShardedUpdate::from_others(Call call) const {
  for (int rank = 0; rank < step_.request.world; ++rank) {
    if (rank != step_.request.rank) call(rank, others().memory() + space().slot(rank, step_.request.rank));
  }
}

int ShardedUpdate::send_to_all(const void* from, std::size_t place, std::size_t bytes, cudaStream_t stream) {
  const auto to_all = [&](int sender, int receiver) {
    return RankExchange::Move{0, space().slot(sender, receiver) + place, bytes};
  };
  return others().send(from, to_all, stream);
}

void ShardedUpdate::exchange(const Bucket& bucket, cudaStream_t stream) {
  const auto bytes = gpu_bytes(step_.type);
  const auto fp32 = step_.network.fp32_space;
  narrow(step_.gradients(Gradients::From::narrow), static_cast<std::int64_t>(bucket.begin),
         static_cast<std::int64_t>(bucket.end - bucket.begin), stream);
  std::vector<int> parts;
  const auto to_share = [&](int sender, int receiver) {
    const auto share = share_of(bucket, receiver);
    return RankExchange::Move{share.begin * bytes,
                              space().slot(sender, receiver) + space().shares_in_slot + bucket.place * bytes,
                              share.count() * bytes};
  };
  if (bucket.end > fp32) parts.push_back(others().send(step_.narrow_gradients, to_share, stream));
  if (bucket.begin == 0 && fp32 > 0) {
    parts.push_back(send_to_all(step_.narrow_gradients, 0, fp32 * bytes, stream));
  }
  auto* const passengers = step_.numbers.gradients + step_.network.parameter_space;
  const bool first_to_be_sent = bucket.end == step_.network.parameter_space;
  if (first_to_be_sent) {
    parts.push_back(
        send_to_all(passengers, space().passengers_in_slot, ExchangeSpace::passengers * sizeof(float), stream));
  }
  for (const int part : parts) others().await(part, stream);
  if (!first_to_be_sent) return;
  from_others([&](int, const char* slot) {
    add(reinterpret_cast<const float*>(slot + space().passengers_in_slot), ExchangeSpace::passengers, passengers,
        stream);
  });
}

void ShardedUpdate::move(const Bucket& bucket, cudaStream_t stream) {
  auto gradients = step_.gradients(Gradients::From::ranks);
  auto& sent = gradients.sent;
  sent.ranks = step_.request.world;
  from_others([&](int rank, const char* slot) { sent.of_rank[rank] = slot; });
  if (bucket.begin == 0) move(gradients, {0, step_.network.fp32_space}, stream);
  const auto share = share_of(bucket, step_.request.rank);
  sent.ahead =
      static_cast<std::int64_t>(step_.network.fp32_space + bucket.place) - static_cast<std::int64_t>(share.begin);
  move(gradients, share, stream);
  coming_.push_back(send_array(bucket, space().narrow, gpu_bytes(step_.type), stream));
}

void ShardedUpdate::move(const Gradients& gradients, Range range, cudaStream_t stream) {
  if (range.count() == 0) return;
  update(gradients, step_.update_memory(), static_cast<std::int64_t>(range.begin),
         static_cast<std::int64_t>(range.count()), step_.request.rate, step_.numbers.state, stream);
}

void ShardedUpdate::move_all(cudaStream_t stream) {
  for (const auto& bucket : buckets_) move(bucket, stream);
}

void ShardedUpdate::agree_on_overflow(cudaStream_t stream) {
  auto* const state = step_.numbers.state;
  find_overflow(step_.gradients(Gradients::From::narrow), static_cast<std::int64_t>(step_.network.parameter_space),
                state, stream);
  others().await(send_to_all(&state->overflowed, space().overflow_in_slot, sizeof state->overflowed, stream), stream);
  from_others([&](int, const char* slot) {
    add_overflow(reinterpret_cast<const unsigned int*>(slot + space().overflow_in_slot), state, stream);
  });
}

void ShardedUpdate::finish(cudaStream_t stream) {
  for (const int part : coming_) others().await(part, stream);
  coming_.clear();
  others().used(stream);
}

int ShardedUpdate::send_array(const Bucket& bucket, std::size_t array, std::size_t element, cudaStream_t stream) {
  const auto to_same_place = [&](int sender, int) {
    const auto share = share_of(bucket, sender);
    const auto at = array + share.begin * element;
    return RankExchange::Move{at, at, share.count() * element};
  };
  return others().send(others().memory(), to_same_place, stream);
}

void ShardedUpdate::gather(cudaStream_t stream) {
  for (const auto& bucket : buckets_) {
    for (const auto array : {space().parameters, space().momentum}) {
      others().await(send_array(bucket, array, sizeof(float), stream), stream);
    }
  }
  others().used(stream);
}

}  // namespace rv::workers
