#include "workers/training/input_feed.h"

#include <optional>

namespace rv::workers {

InputFeed::InputFeed(DataSource& source, Learner& learner)
    : source_(source), learner_(learner), held_(static_cast<std::size_t>(learner.slots()), -1) {
  source.lie_in(learner.batch_memory());
}

bool InputFeed::is_there(std::int64_t step) const {
  const auto held = held_[static_cast<std::size_t>(step) % held_.size()];
  const auto cycle = source_.cycle();
  return held >= 0 && (held == step || (cycle > 0 && held % cycle == step % cycle));
}

int InputFeed::load(std::int64_t step) {
  const auto slot = static_cast<std::size_t>(step) % held_.size();
  if (!is_there(step)) {
    std::optional<Batch> batch;
    if (prepared_.valid()) batch = prepared_.get();
    if (!batch || prepared_step_ != step) batch = source_.batch(step);
    learner_.load(static_cast<int>(slot), *batch);
    held_[slot] = step;
  }
  if (!prepared_.valid() && !is_there(step + 1)) {
    prepared_step_ = step + 1;
    prepared_ = std::async(std::launch::async, [this, step] { return source_.batch(step + 1); });
  }
  return static_cast<int>(slot);
}

}  // namespace rv::workers
