// When the probes of a trial have started.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// When a probe would have started, for each of its time limits; never: not within the horizon.
struct ProbeOutcome {
  std::vector<ReplayTime> starts;
  ReplayTime window = 0;  // longest walltime that could have started within the stated delay
};

/// Probes by their places in Component::probes. Of one's limits the shorter start no later than the longer.
class ProbeStarts {
 public:
  explicit ProbeStarts(const std::vector<Probe>& probes) : probes_(probes) {}

  /// A new trial: nobody has started.
  void begin(const Component& component);

  const Probe& probe(std::size_t place) const { return probes_[component_->probes[place]]; }
  /// Whether the limit that it asks for has not started yet.
  bool waits(std::size_t place) const { return next_[place] <= probe(place).asked; }
  bool all_started(std::size_t place) const { return next_[place] >= probe(place).limits.size(); }
  /// The shortest limit that has not started; not for one of which all_started().
  ReplayTime next_limit(std::size_t place) const { return probe(place).limits[next_[place]]; }
  /// How many wait.
  std::size_t waiting() const { return waiting_; }

  /// Limits up to this window have started, at `at`.
  void start(std::size_t place, ReplayTime window, ReplayTime at);
  /// It could have started with such a walltime within the delay that counts for ProbeOutcome::window.
  void see_window(std::size_t place, ReplayTime window);

  /// In the order of the places.
  const std::vector<ProbeOutcome>& outcomes() const { return outcomes_; }

 private:
  const std::vector<Probe>& probes_;
  const Component* component_ = nullptr;
  std::vector<ProbeOutcome> outcomes_;
  std::vector<std::size_t> next_;  // first limit that has not started
  std::size_t waiting_ = 0;
};

}  // namespace rv::planner
