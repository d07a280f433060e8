// The future events of a trial: ends of jobs, and times from which a job may start or be preempted.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class TrialEvents {
 public:
  /// `wake`: some job may become eligible; `back`: a preempted job may start again; `not_exempt`: a running job may be
  /// preempted from now on.
  enum class Kind { wake, end, back, not_exempt };
  struct Event {
    ReplayTime at = 0;
    Kind kind = Kind::wake;
    int number = 0;  // slot of the job that ends or is no longer exempt; number of the job that is back
  };

  void clear() { queue_ = {}; }
  void add_end(ReplayTime at, int slot) { queue_.push({at, slot}); }
  void add_wake(ReplayTime at) { queue_.push({at, wake}); }
  void add_back(ReplayTime at, int job) { queue_.push({at, wake - 1 - 2 * job}); }
  void add_not_exempt(ReplayTime at, int slot) { queue_.push({at, wake - 2 - 2 * slot}); }

  /// Returns the time of the next event; never: there is none.
  ReplayTime next() const { return queue_.empty() ? never : queue_.top().at; }
  bool empty() const { return queue_.empty(); }
  /// Removes and returns the next event. Of several at the same time, ends come last, by slot.
  Event take() {
    const Entry entry = queue_.top();
    queue_.pop();
    if (entry.slot >= 0) return {entry.at, Kind::end, entry.slot};
    if (entry.slot == wake) return {entry.at, Kind::wake, 0};
    const int rest = wake - 1 - entry.slot;
    return {entry.at, rest % 2 == 0 ? Kind::back : Kind::not_exempt, rest / 2};
  }

 private:
  static constexpr int wake = -1;  // smaller: alternately jobs that are back and slots that are no longer exempt
  struct Entry {
    ReplayTime at = 0;
    int slot = 0;
    bool operator>(const Entry& other) const { return at != other.at ? at > other.at : slot > other.slot; }
  };

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace rv::planner
