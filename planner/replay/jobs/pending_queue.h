// The jobs that wait in a replay, in the order in which Slurm considers them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Rows of a component, ascending: their numbers are their priority. Some belong to jobs without
/// tasks to start. They stay until remove_finished(), or for good: no caller treats them as waiting.
class PendingQueue {
 public:
  /// From now on it is about this component. `requeues`: jobs may go back to it.
  void enter(const Component& component, bool requeues);
  /// As in the snapshot.
  void reset();

  /// A row comes to its place.
  void submit(int row);
  /// All rows of a job that was preempted come to their old places: Slurm computes its priority anew, without the time
  /// that it had waited, which is unknown here.
  void requeue(int job);
  /// Removes finished jobs from the queue, up to its first `depth` waiting rows. `tasks_left`: by job.
  void remove_finished(const std::vector<int>& tasks_left, int depth);

  /// Rows wait at the places from front() to end(), the last excluded.
  std::size_t front() const { return front_; }
  std::size_t end() const { return rows_.size(); }
  /// The number of the row at this place.
  int at(std::size_t place) const { return rows_[place]; }

 private:
  const Component* component_ = nullptr;
  std::vector<int> rows_;
  std::size_t front_ = 0;
  std::vector<std::pair<int, int>> rows_of_jobs_;  // job and row, in order; empty if no job can be requeued
};

}  // namespace rv::planner
