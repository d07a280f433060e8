// What is known to come in a trial: ends of jobs, and moments from which on somebody may start.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class TrialEvents {
 public:
  struct Event {
    ReplayTime at = 0;
    std::optional<int> ended;  // slot of the job that is over; nothing: somebody may start
  };

  void clear() { queue_ = {}; }
  void add_end(ReplayTime at, int slot) { queue_.push({at, slot}); }
  void add_wake(ReplayTime at) { queue_.push({at, wake}); }

  /// never: nothing comes.
  ReplayTime next() const { return queue_.empty() ? never : queue_.top().at; }
  bool empty() const { return queue_.empty(); }
  /// The next one, which is taken out. At the same time: wakes, then ends by slot.
  Event take() {
    const Entry entry = queue_.top();
    queue_.pop();
    return {entry.at, entry.slot == wake ? std::nullopt : std::optional(entry.slot)};
  }

 private:
  static constexpr int wake = -1;
  struct Entry {
    ReplayTime at = 0;
    int slot = 0;
    bool operator>(const Entry& other) const { return at != other.at ? at > other.at : slot > other.slot; }
  };

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace rv::planner
