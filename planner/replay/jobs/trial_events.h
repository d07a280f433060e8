// What is known to come in a trial: ends of jobs, and moments from which on somebody may start or be taken from.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class TrialEvents {
 public:
  /// `back`: a job that was preempted may start again; `not_exempt`: one that runs may be preempted from now on.
  enum class What { wake, end, back, not_exempt };
  struct Event {
    ReplayTime at = 0;
    What what = What::wake;
    int number = 0;  // slot of the job that ends or is exempt no more, number of the one that is back
  };

  void clear() { queue_ = {}; }
  void add_end(ReplayTime at, int slot) { queue_.push({at, slot}); }
  void add_wake(ReplayTime at) { queue_.push({at, wake}); }
  void add_back(ReplayTime at, int job) { queue_.push({at, wake - 1 - 2 * job}); }
  void add_not_exempt(ReplayTime at, int slot) { queue_.push({at, wake - 2 - 2 * slot}); }

  /// never: nothing comes.
  ReplayTime next() const { return queue_.empty() ? never : queue_.top().at; }
  bool empty() const { return queue_.empty(); }
  /// The next one, which is taken out. At the same time: ends come last, by slot.
  Event take() {
    const Entry entry = queue_.top();
    queue_.pop();
    if (entry.slot >= 0) return {entry.at, What::end, entry.slot};
    if (entry.slot == wake) return {entry.at, What::wake, 0};
    const int rest = wake - 1 - entry.slot;
    return {entry.at, rest % 2 == 0 ? What::back : What::not_exempt, rest / 2};
  }

 private:
  static constexpr int wake = -1;  // below: who is back and who is exempt no more, in turn
  struct Entry {
    ReplayTime at = 0;
    int slot = 0;
    bool operator>(const Entry& other) const { return at != other.at ? at > other.at : slot > other.slot; }
  };

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace rv::planner
