#include "workers/training/data/epoch_order.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "workers/devices/random_input.h"

namespace rv::workers {

EpochOrder::EpochOrder(const DataRequest& request, std::size_t samples) : request_(request), samples_(samples) {
  const auto whole = static_cast<std::size_t>(request.count) * static_cast<std::size_t>(request.world);
  if (whole > samples) {
    throw std::runtime_error(
        fmt::format("{} has {} samples, but a step of all ranks needs {}", request.mode, samples, whole));
  }
  // Rounded down, so that every step is complete.
  per_epoch_ = static_cast<std::int64_t>(samples / whole);
}

std::vector<std::size_t> EpochOrder::samples(std::int64_t step) {
  const auto epoch = step / per_epoch_;
  if (epoch != epoch_) shuffle(epoch);
  const auto count = static_cast<std::size_t>(request_.count);
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto place =
        (static_cast<std::size_t>(step % per_epoch_) * count + i) * static_cast<std::size_t>(request_.world) +
        static_cast<std::size_t>(request_.rank);
    chosen[i] = order_[place];
  }
  return chosen;
}

/// A Fisher-Yates shuffle, the same on every rank.
void EpochOrder::shuffle(std::int64_t epoch) {
  order_.resize(samples_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto key = scramble(scramble(request_.seed + 0xe9) ^ static_cast<std::uint64_t>(epoch));
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[scramble(key + i) % i]);
  epoch_ = epoch;
}

void check_request(const DataRequest& request, int classes) {
  if (request.sequence > 0) throw std::runtime_error(fmt::format("{} has no tokens for a transformer", request.mode));
  if (request.classes < classes) {
    throw std::runtime_error(
        fmt::format("{} has {} classes; --num-classes {} are too few", request.mode, classes, request.classes));
  }
}

}  // namespace rv::workers
