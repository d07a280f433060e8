// The pending jobs of a replay, in the order in which Slurm considers them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Entries of a component, ascending: their indices are their order of priority. Some belong to jobs without
/// tasks to start. They stay until remove_finished(), or forever; callers skip them.
class PendingQueue {
 public:
  /// Selects the component; call before reset(). `requeues`: preempted jobs may return to the queue.
  void enter(const Component& component, bool requeues);
  /// Returns to the snapshot.
  void reset();

  /// Inserts an entry at its position.
  void submit(int entry);
  /// Inserts all entries of a preempted job at their old positions. Slurm would compute its priority again, without the
  /// time that it had waited, which is unknown here.
  void requeue(int job);
  /// Removes jobs without tasks to start, up to the first `depth` waiting entries. `tasks_left`: by job.
  void remove_finished(const std::vector<int>& tasks_left, int depth);

  /// Entries wait at the positions from front() to end() - 1.
  std::size_t front() const { return front_; }
  std::size_t end() const { return entries_.size(); }
  /// Returns the index of the entry at this position.
  int at(std::size_t position) const { return entries_[position]; }

 private:
  const Component* component_ = nullptr;
  std::vector<int> entries_;
  std::size_t front_ = 0;
  std::vector<std::pair<int, int>> entries_of_jobs_;  // pairs of job and entry, sorted; empty if no job can be requeued
};

}  // namespace rv::planner
