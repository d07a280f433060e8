#include "planner/replay/jobs/pending_queue.h"

#include <algorithm>

namespace rv::planner {

void PendingQueue::enter(const Component& component, bool requeues) {
  component_ = &component;
  entries_of_jobs_.clear();
  if (!requeues) return;
  for (std::size_t i = 0; i < component.entries.size(); ++i) {
    entries_of_jobs_.emplace_back(component.entries[i].job, static_cast<int>(i));
  }
  std::sort(entries_of_jobs_.begin(), entries_of_jobs_.end());
}

void PendingQueue::reset() {
  entries_ = component_->waiting;
  front_ = 0;
}

void PendingQueue::submit(int entry) {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(front_);
  const auto at = std::upper_bound(first, entries_.end(), entry);
  // It may stand there still, over, from an earlier period or start.
  if (at != first && *(at - 1) == entry) return;
  entries_.insert(at, entry);
}

void PendingQueue::requeue(int job) {
  const auto first = std::lower_bound(entries_of_jobs_.begin(), entries_of_jobs_.end(), std::pair(job, 0));
  for (auto at = first; at != entries_of_jobs_.end() && at->first == job; ++at) submit(at->second);
}

void PendingQueue::remove_finished(const std::vector<int>& tasks_left, int depth) {
  const auto over = [&](int entry) { return tasks_left[component_->entries[entry].job] == 0; };
  int left = depth;
  std::size_t end = front_;
  while (end < entries_.size() && left > 0) left -= over(entries_[end++]) ? 0 : 1;
  std::size_t kept = end;
  for (std::size_t i = end; i-- > front_;) {
    if (!over(entries_[i])) entries_[--kept] = entries_[i];
  }
  front_ = kept;
}

}  // namespace rv::planner
