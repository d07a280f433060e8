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

/// `place`: the job's index in Component::hypotheticals. With a shorter limit a job starts no later than with a longer
/// one.
class HypotheticalStarts {
 public:
  explicit HypotheticalStarts(const std::vector<HypotheticalJob>& hypotheticals) : hypotheticals_(hypotheticals) {}

  /// A new trial: no job has started.
  void begin(const Component& component);

  const HypotheticalJob& hypothetical(std::size_t place) const {
    return hypotheticals_[component_->hypotheticals[place]];
  }
  /// Whether the limit that it asks for has not started yet.
  bool waits(std::size_t place) const { return next_[place] <= hypothetical(place).asked; }
  bool all_started(std::size_t place) const { return next_[place] >= hypothetical(place).limits.size(); }
  /// The shortest limit that has not started. Not valid if all_started().
  ReplayTime next_limit(std::size_t place) const { return hypothetical(place).limits[next_[place]]; }
  /// The number of jobs that wait.
  std::size_t waiting() const { return waiting_; }

  /// Limits up to this window have started, at `at`.
  void start(std::size_t place, ReplayTime window, ReplayTime at);
  /// It could have started with such a walltime within the delay that counts for HypotheticalOutcome::window.
  void see_window(std::size_t place, ReplayTime window);

  /// In the order of the places.
  const std::vector<HypotheticalOutcome>& outcomes() const { return outcomes_; }

 private:
  const std::vector<HypotheticalJob>& hypotheticals_;
  const Component* component_ = nullptr;
  std::vector<HypotheticalOutcome> outcomes_;
  std::vector<std::size_t> next_;  // first limit that has not started
  std::size_t waiting_ = 0;
};

}  // namespace rv::planner
