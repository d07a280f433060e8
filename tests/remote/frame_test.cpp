#include "cli/remote/forward/frame.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/error.h"

namespace rv::forward {

TEST_CASE("frames come out as they went in, however the bytes are cut, and after any chatter") {
  std::string bytes = "Welcome to login1\n\001rv relay";
  bytes += std::string("\n") + std::string(forward::greeting);
  std::string all(256, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i);
  const std::vector<forward::Frame> sent{{forward::FrameKind::hello, 0, "{}"},
                                         {forward::FrameKind::open, 1, "udc-an33-1 8888"},
                                         {forward::FrameKind::data, 0xfedcba98, all},
                                         {forward::FrameKind::eof, 1, ""},
                                         {forward::FrameKind::data, 7, std::string(forward::longest_part, '\n')}};
  for (const forward::Frame& frame : sent) forward::append_frame(bytes, frame);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
    forward::FrameReader reader;
    std::vector<forward::Frame> got;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      reader.feed(std::string_view(bytes).substr(at, step));
      while (const auto frame = reader.next()) got.push_back(*frame);
    }
    CHECK(got == sent);
    CHECK(reader.chatter() == "Welcome to login1\n\001rv relay\n");
  }
}

TEST_CASE("a frame ends with a newline, or srun would hold it back") {
  std::string bytes;
  forward::append_frame(bytes, {forward::FrameKind::taken, 3, "12"});
  CHECK(bytes.back() == '\n');
  forward::FrameReader reader;
  reader.feed(forward::greeting);
  reader.feed(std::string_view(bytes).substr(0, bytes.size() - 1));
  CHECK_FALSE(reader.next().has_value());
  reader.feed("\n");
  CHECK(reader.next() == forward::Frame{forward::FrameKind::taken, 3, "12"});
}

TEST_CASE("invalid frames are rejected") {
  forward::FrameReader reader;
  reader.feed(std::string(forward::greeting) + "slurmstepd: error");
  CHECK_THROWS_AS(reader.next(), Error);
}

}  // namespace rv::forward
