#include "planner/replay/nodes/earliest_start_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace rv;
using namespace rv::planner;

namespace {

constexpr ReplayTime no_bound = never - 1;

std::vector<StartTime> all_out(EarliestStartQueue& queue, ReplayTime last = no_bound) {
  std::vector<StartTime> out;
  while (const auto next = queue.earliest(last)) {
    out.push_back(*next);
    queue.remove(next->place);
  }
  return out;
}

}  // namespace

TEST_CASE("places come out by time, of equals the first") {
  EarliestStartQueue queue;
  queue.assign({500, EarliestStartQueue::free_now, 300, 500, never});
  queue.begin(100);
  CHECK(all_out(queue) == std::vector<StartTime>{{100, 1}, {300, 2}, {500, 0}, {500, 3}});
}

TEST_CASE("an overdue node is free in a second, after the nodes that are free already") {
  EarliestStartQueue queue;
  queue.assign({90, 101, 20, EarliestStartQueue::free_now, 102});
  queue.begin(100);
  CHECK(all_out(queue) == std::vector<StartTime>{{100, 3}, {101, 0}, {101, 1}, {101, 2}, {102, 4}});
}

TEST_CASE("times after the last relevant one are not returned") {
  EarliestStartQueue queue;
  queue.assign({500, 300});
  queue.begin(0);
  CHECK(all_out(queue, 299).empty());
  CHECK(all_out(queue, 300) == std::vector<StartTime>{{300, 1}});
  EarliestStartQueue none;
  none.assign({});
  none.begin(0);
  CHECK_FALSE(none.earliest(no_bound));
}

TEST_CASE("temporary changes last until the next pass, permanent ones stay") {
  EarliestStartQueue queue;
  queue.assign({10, 20, 30});
  queue.begin(0);
  queue.remove(0);
  queue.put({40, 1});
  queue.put({0, 2});
  CHECK(queue.earliest(no_bound) == StartTime{0, 2});
  CHECK(all_out(queue) == std::vector<StartTime>{{0, 2}, {40, 1}});
  queue.set(1, 5);
  queue.begin(1);
  CHECK(all_out(queue) == std::vector<StartTime>{{5, 1}, {10, 0}, {30, 2}});
}

TEST_CASE("it behaves like a sorted list after any change") {
  std::mt19937 chance(5);
  const auto below = [&](int bound) { return static_cast<int>(chance() % static_cast<unsigned>(bound)); };
  for (const int places : {1, 2, 7, 64, 100, 300}) {
    std::vector<ReplayTime> times(static_cast<std::size_t>(places));
    const ReplayTime earliest = places == 300 ? 100 : 0;  // a hundred: nothing is ever overdue
    for (ReplayTime& time : times) time = earliest + below(50);
    EarliestStartQueue queue;
    queue.assign(times);
    for (ReplayTime now = 0; now < 60; now += 7) {
      for (int i = 0; i < 5; ++i) {
        const int place = below(places);
        times[place] = below(3) == 0 ? EarliestStartQueue::free_now : earliest + below(80);
        queue.set(place, times[place]);
      }
      std::vector<StartTime> expected;
      expected.reserve(times.size());
      for (int i = 0; i < places; ++i) {
        expected.push_back({times[i] == EarliestStartQueue::free_now ? now : std::max(times[i], now + 1), i});
      }
      queue.begin(now);
      const int moved = below(places);
      queue.put({now + 10, moved});
      expected[moved].at = now + 10;
      std::sort(expected.begin(), expected.end());
      CHECK(all_out(queue) == expected);
    }
  }
}
