#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "workers/training/data/data_source.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// Loads the batch of each step into a learner, and prepares the next one while a step runs if the learner has a slot
/// for it. Steps may be requested in any order.
class InputFeed {
 public:
  /// `source` and `learner` must outlive it.
  InputFeed(DataSource& source, Learner& learner);

  /// Loads the batch of a step, unless it is already loaded, and returns its slot.
  int load(std::int64_t step);

 private:
  bool is_there(std::int64_t step) const;

  DataSource& source_;
  Learner& learner_;
  std::vector<std::int64_t> held_;  ///< step of the batch in each slot; -1: none
  std::int64_t prepared_step_ = -1;
  std::future<Batch> prepared_;
};

}  // namespace rv::workers
