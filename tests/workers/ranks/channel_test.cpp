#include "workers/ranks/channel.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

using namespace rv::workers;
namespace os = rv::os;

namespace {

/// A message as it travels: its length in four bytes, then its text.
std::string framed(const std::string& text) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(text.size() >> shift & 0xff);
  return bytes + text;
}

}  // namespace

TEST_CASE("a peer's message that is nested without end is discarded, and the next one is read") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const os::Descriptor peer(ends[1]);
  Channel channel{os::Descriptor(ends[0])};
  std::string nested(50'000, '[');
  nested += std::string(50'000, ']');
  const auto bytes = framed(nested) + framed(R"({"op":"hello"})");
  REQUIRE(::write(peer.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  std::optional<Json> first, second;
  for (int i = 0; i < 10 && !second; ++i) {
    REQUIRE(channel.receive_some(1 << 20));
    if (!first) first = channel.next();
    if (first) second = channel.next();
  }
  REQUIRE(first);
  CHECK(first->is_discarded());
  REQUIRE(second);
  CHECK(second->at("op") == "hello");
}
