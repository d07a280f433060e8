// When the hypothetical jobs of a trial have started.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// When a hypothetical job would have started, for each of its time limits; never: not within the horizon.
struct HypotheticalOutcome {
  std::vector<ReplayTime> starts;
  ReplayTime window = 0;  // longest walltime that could have started within the stated delay
};

/// `index`: index in Component::hypotheticals. With a shorter limit a job starts no later than with a longer limit.
class HypotheticalStarts {
 public:
  explicit HypotheticalStarts(const std::vector<HypotheticalJob>& hypotheticals) : hypotheticals_(hypotheticals) {}

  /// Starts a trial, in which no job has started.
  void begin(const Component& component);

  const HypotheticalJob& hypothetical(std::size_t index) const {
    return hypotheticals_[component_->hypotheticals[index]];
  }
  /// Whether the job with its requested limit has not started.
  bool waits(std::size_t index) const { return next_[index] <= hypothetical(index).asked; }
  bool all_started(std::size_t index) const { return next_[index] >= hypothetical(index).limits.size(); }
  /// The shortest limit that has not started. Not valid if all_started().
  ReplayTime next_limit(std::size_t index) const { return hypothetical(index).limits[next_[index]]; }
  /// The number of jobs that wait.
  std::size_t waiting() const { return waiting_; }

  /// Records that the job with limits up to this window started at `at`.
  void start(std::size_t index, ReplayTime window, ReplayTime at);
  /// Records that the job could start with this walltime, for HypotheticalOutcome::window.
  void see_window(std::size_t index, ReplayTime window);

  /// By index.
  const std::vector<HypotheticalOutcome>& outcomes() const { return outcomes_; }

 private:
  const std::vector<HypotheticalJob>& hypotheticals_;
  const Component* component_ = nullptr;
  std::vector<HypotheticalOutcome> outcomes_;
  std::vector<std::size_t> next_;  // first limit that has not started
  std::size_t waiting_ = 0;
};

}  // namespace rv::planner
