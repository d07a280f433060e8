#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "workers/training/data/data_source.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// Brings a learner the batch of each step; the next one is prepared while a step runs, where the learner wants it.
/// Steps may be asked for in any order.
class InputFeed {
 public:
  /// Both must outlive it.
  InputFeed(DataSource& source, Learner& learner);

  /// Puts the batch of a step into a slot, which is returned. One that is there already stays.
  int load(std::int64_t step);

 private:
  bool is_there(std::int64_t step) const;

  DataSource& source_;
  Learner& learner_;
  std::vector<std::int64_t> held_;  ///< the step whose batch is in each slot; -1: none
  std::int64_t prepared_step_ = -1;
  std::future<Batch> prepared_;
};

}  // namespace rv::workers
