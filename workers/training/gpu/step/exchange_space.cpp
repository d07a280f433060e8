#include "workers/training/gpu/step/exchange_space.h"

#include "workers/training/gpu/kernels/update_kernels.h"

namespace rv::workers {

ExchangeSpace::ExchangeSpace(const Network& network, GpuType type, int ranks) {
  constexpr std::size_t line = 512;
  const auto after = [](std::size_t begin, std::size_t bytes) { return (begin + bytes + line - 1) / line * line; };
  const auto space = network.parameter_space, others = static_cast<std::size_t>(ranks - 1);
  // The shares of a bucket are whole blocks, so that one may be a block larger than the average.
  share_capacity = (space - network.fp32_space) / static_cast<std::size_t>(ranks) + gradient_block * most_buckets;
  shares_in_slot = network.fp32_space * gpu_bytes(type);
  passengers_in_slot = after(shares_in_slot, share_capacity * gpu_bytes(type));
  overflow_in_slot = passengers_in_slot + passengers * sizeof(float);
  slot_bytes = after(overflow_in_slot, sizeof(unsigned int));
  parameters = after(narrow, space * gpu_bytes(type));
  momentum = after(parameters, space * sizeof(float));
  slots_ = after(momentum, space * sizeof(float));
  total = slots_ + others * slot_bytes;
}

std::size_t ExchangeSpace::slot(int sender, int receiver) const {
  return slots_ + static_cast<std::size_t>(sender - (sender > receiver ? 1 : 0)) * slot_bytes;
}

}  // namespace rv::workers
