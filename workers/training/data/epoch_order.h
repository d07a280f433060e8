#pragma once

#include <cstdint>
#include <vector>

#include "workers/training/data/data_source.h"

namespace rv::workers {

/// Selects the samples of a rank in each step. Each sample occurs at most once per epoch, in an order that depends on
/// the seed and the epoch; ranks have disjoint samples. Samples at the end of an epoch that do not fill a step of all
/// ranks are left out.
class EpochOrder {
 public:
  /// Throws std::runtime_error if the set has fewer samples than one step of all ranks needs.
  EpochOrder(const DataRequest& request, std::size_t samples);
  /// The step's samples, in order. Not thread-safe.
  std::vector<std::size_t> samples(std::int64_t step);

 private:
  void shuffle(std::int64_t epoch);

  DataRequest request_;
  std::size_t samples_;
  std::int64_t per_epoch_, epoch_ = -1;
  std::vector<std::size_t> order_;
};

/// Throws std::runtime_error if the request does not suit images with this number of classes.
void check_request(const DataRequest& request, int classes);

}  // namespace rv::workers
