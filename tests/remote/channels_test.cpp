#include "cli/remote/forward/channels.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <array>
#include <vector>

namespace rv::forward {

namespace {

/// One connection whose local program reads nothing, and the frames that go to the other end.
struct OneConnection {
  os::PollLoop loop;
  std::vector<Frame> sent;
  os::Descriptor program;
  Channels channels{loop, [this](const Frame& frame) { sent.push_back(frame); }, [] { return true; }};

  OneConnection() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    program = os::Descriptor(ends[0]);
    channels.add(1, os::Descriptor(ends[1]), true);
  }
  bool take(FrameKind kind, const std::string& payload) {
    return channels.take({.kind = kind, .channel = 1, .payload = payload});
  }
  bool is_reset() const { return !sent.empty() && sent.back().kind == FrameKind::reset; }
};

}  // namespace

TEST_CASE("an end that sends more than its window is broken off, and takes no more memory") {
  OneConnection one;
  const std::string part(longest_part, 'x');
  for (std::size_t bytes = 0; bytes < window; bytes += part.size()) CHECK(one.take(FrameKind::data, part));
  CHECK_FALSE(one.is_reset());
  CHECK(one.take(FrameKind::data, "x"));
  CHECK(one.is_reset());
  CHECK_FALSE(one.take(FrameKind::data, part));
}

TEST_CASE("an end that acknowledges more than was sent to it is broken off") {
  for (const char* count : {"1", "524288", "18446744073709551615"}) {
    OneConnection one;
    CHECK(one.take(FrameKind::taken, count));
    CHECK(one.is_reset());
  }
  OneConnection one;
  for (const char* count : {"0", "", "-1", "x"}) CHECK(one.take(FrameKind::taken, count));
  CHECK_FALSE(one.is_reset());
}

TEST_CASE("frames for other connections, and requests to open one, change nothing") {
  OneConnection one;
  CHECK_FALSE(one.channels.take({.kind = FrameKind::data, .channel = 2, .payload = "x"}));
  CHECK_FALSE(one.take(FrameKind::open, "n1 22"));
  CHECK_FALSE(one.take(FrameKind::hello, "{}"));
  CHECK(one.sent.empty());
}

}  // namespace rv::forward
