#include "base/side_by_side.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("the work runs on the requested number of threads, including the caller") {
  std::atomic<int> calls = 0;
  std::atomic<bool> here = false;
  const auto caller = std::this_thread::get_id();
  side_by_side(4, [&] {
    ++calls;
    if (std::this_thread::get_id() == caller) here = true;
    while (calls < 4) std::this_thread::yield();  // at once, not one after the other
  });
  CHECK(calls == 4);
  CHECK(here);
  calls = 0;
  side_by_side(1, [&] { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("an exception of any thread reaches the caller after all threads have ended") {
  for (int thrower = 0; thrower < 4; ++thrower) {
    std::atomic<int> calls = 0;
    std::atomic<int> back = 0;
    const auto work = [&] {
      if (calls++ == thrower) throw std::bad_alloc();
      ++back;
    };
    CHECK_THROWS_AS(side_by_side(4, work), std::bad_alloc);
    CHECK(back == 3);
  }
  CHECK_THROWS_AS(side_by_side(4, [] { throw std::runtime_error("all"); }), std::runtime_error);
}

// clang's ThreadSanitizer is in the program itself, and threads that are not made by it end it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RV_THREADS_ARE_WATCHED
#endif
#endif
#ifndef RV_THREADS_ARE_WATCHED
namespace {

int threads_left = std::numeric_limits<int>::max();

}  // namespace

// The whole test program's: a system that has no more threads.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  if (threads_left <= 0) return EAGAIN;
  --threads_left;
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}

TEST_CASE("a forecast is made with the threads that can be had") {
  Cluster cluster = test::queue_cluster(2, 4);
  test::running(cluster, "1", {"n0"}, 4, 2h, 1h);
  test::running(cluster, "2", {"n1"}, 4, 3h, 1h);
  ForecastInputs inputs = test::last_in_line();
  const Forecast alone = test::foresee(cluster, {test::a_strategy(1, 4, 1h)}, inputs);
  inputs.threads = 4;
  for (threads_left = 2; threads_left >= 0; --threads_left) {
    const int before = threads_left;
    const Forecast seen = test::foresee(cluster, {test::a_strategy(1, 4, 1h)}, inputs);
    CHECK(seen.prospects[0].starts == alone.prospects[0].starts);
    threads_left = before;
  }
  threads_left = std::numeric_limits<int>::max();
}
#endif
