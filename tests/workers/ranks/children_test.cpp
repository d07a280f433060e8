#include "workers/ranks/children.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

using namespace rv;
using namespace rv::workers;

TEST_CASE("a rank survives a closed connection and reports it") {
  Children children;
  children.start(0, [] {
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    ::close(ends[0]);
    return ::write(ends[1], "x", 1) < 0 && errno == EPIPE ? 42 : 2;
  });
  std::vector<Children::Ended> ended;
  while (ended.empty()) {
    ended = children.reap();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(ended.front().how == "exited with 42");
}
