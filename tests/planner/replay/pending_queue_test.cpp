#include "planner/replay/jobs/pending_queue.h"

#include <doctest/doctest.h>

using namespace rv::planner;

namespace {

std::vector<int> waiting(const PendingQueue& queue) {
  std::vector<int> entries;
  for (std::size_t i = queue.front(); i < queue.end(); ++i) entries.push_back(queue.at(i));
  return entries;
}

/// Rows 0 … 5 of jobs 0, 1, 2, 0, 1, 2, of which the first, third and fifth wait.
Component six_entries() {
  Component component;
  component.entries.resize(6);
  for (int i = 0; i < 6; ++i) component.entries[static_cast<std::size_t>(i)].job = i % 3;
  component.waiting = {0, 2, 4};
  return component;
}

}  // namespace

TEST_CASE("queue: a submitted job has one position by priority; a trial begins with the snapshot") {
  const Component component = six_entries();
  PendingQueue queue;
  queue.enter(component, false);
  queue.reset();
  CHECK(waiting(queue) == std::vector<int>{0, 2, 4});
  queue.submit(3);
  queue.submit(3);
  queue.submit(5);
  CHECK(waiting(queue) == std::vector<int>{0, 2, 3, 4, 5});
  queue.reset();
  CHECK(waiting(queue) == std::vector<int>{0, 2, 4});
}

TEST_CASE("queue: a preempted job's entries come back, all of them") {
  const Component component = six_entries();
  PendingQueue queue;
  queue.enter(component, true);
  queue.reset();
  queue.requeue(1);
  CHECK(waiting(queue) == std::vector<int>{0, 1, 2, 4});
}

TEST_CASE("queue: compaction removes ended jobs, up to the given number of waiting ones") {
  const Component component = six_entries();
  PendingQueue queue;
  queue.enter(component, false);
  queue.reset();
  for (const int row : {1, 3, 5}) queue.submit(row);
  const std::vector<int> tasks_left{1, 0, 1};  // job 1 is over: entries 1 and 4
  SUBCASE("all") {
    queue.remove_finished(tasks_left, 100);
    CHECK(waiting(queue) == std::vector<int>{0, 2, 3, 5});
  }
  SUBCASE("the first two") {
    queue.remove_finished(tasks_left, 2);
    CHECK(waiting(queue) == std::vector<int>{0, 2, 3, 4, 5});
    queue.submit(1);
    CHECK(waiting(queue) == std::vector<int>{0, 1, 2, 3, 4, 5});
  }
}
