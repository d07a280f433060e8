#include "planner/replay/jobs/pending_queue.h"

#include <algorithm>

namespace rv::planner {

void PendingQueue::enter(const Component& component, bool requeues) {
  component_ = &component;
  rows_of_jobs_.clear();
  if (!requeues) return;
  for (std::size_t i = 0; i < component.rows.size(); ++i) {
    rows_of_jobs_.emplace_back(component.rows[i].job, static_cast<int>(i));
  }
  std::sort(rows_of_jobs_.begin(), rows_of_jobs_.end());
}

void PendingQueue::reset() {
  rows_ = component_->waiting;
  front_ = 0;
}

void PendingQueue::submit(int row) {
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(front_);
  const auto at = std::upper_bound(first, rows_.end(), row);
  // It may stand there still, over, from an earlier period or start.
  if (at != first && *(at - 1) == row) return;
  rows_.insert(at, row);
}

void PendingQueue::requeue(int job) {
  const auto first = std::lower_bound(rows_of_jobs_.begin(), rows_of_jobs_.end(), std::pair(job, 0));
  for (auto at = first; at != rows_of_jobs_.end() && at->first == job; ++at) submit(at->second);
}

void PendingQueue::remove_finished(const std::vector<int>& tasks_left, int depth) {
  const auto over = [&](int row) { return tasks_left[component_->rows[row].job] == 0; };
  int left = depth;
  std::size_t end = front_;
  while (end < rows_.size() && left > 0) left -= over(rows_[end++]) ? 0 : 1;
  std::size_t kept = end;
  for (std::size_t i = end; i-- > front_;) {
    if (!over(rows_[i])) rows_[--kept] = rows_[i];
  }
  front_ = kept;
}

}  // namespace rv::planner
