#pragma once

#include <cstdint>
#include <vector>

#include "workers/training/data/data_source.h"

namespace rv::workers {

/// Which of a set's samples a rank sees in a step: each once an epoch, in an order of that epoch's by the seed; ranks
/// take turns, so no two see the same. What is left of an epoch and fills no step of all ranks is left out.
class EpochOrder {
 public:
  /// Throws std::runtime_error where the set has less than a step of all ranks.
  EpochOrder(const DataRequest& request, std::size_t samples);
  /// The step's samples, in order. Not for two threads at once.
  std::vector<std::size_t> samples(std::int64_t step);

 private:
  void shuffle(std::int64_t epoch);

  DataRequest request_;
  std::size_t samples_;
  std::int64_t per_epoch_, epoch_ = -1;
  std::vector<std::size_t> order_;
};

/// Throws std::runtime_error where images with so many classes can't be trained on as the request says.
void check_request(const DataRequest& request, int classes);

}  // namespace rv::workers
