#include <doctest/doctest.h>

#include <vector>

#include "cli/forward/frame.h"
#include "planner/error.h"

namespace rv::cli::forward {

TEST_CASE("frames come out as they went in, however the bytes are cut, and after any chatter") {
  std::string bytes = "Welcome to login1\n\001rv relay";
  bytes += std::string("\n") + std::string(greeting);
  std::string all(256, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i);
  const std::vector<Frame> sent{{FrameKind::hello, 0, "{}"},
                                {FrameKind::open, 1, "udc-an33-1 8888"},
                                {FrameKind::data, 0xfedcba98, all},
                                {FrameKind::eof, 1, ""},
                                {FrameKind::data, 7, std::string(longest_part, '\n')}};
  for (const Frame& frame : sent) append_frame(bytes, frame);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
    FrameReader reader;
    std::vector<Frame> got;
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
  append_frame(bytes, {FrameKind::taken, 3, "12"});
  CHECK(bytes.back() == '\n');
  FrameReader reader;
  reader.feed(greeting);
  reader.feed(std::string_view(bytes).substr(0, bytes.size() - 1));
  CHECK_FALSE(reader.next().has_value());
  reader.feed("\n");
  CHECK(reader.next() == Frame{FrameKind::taken, 3, "12"});
}

TEST_CASE("what is no frame is refused") {
  FrameReader reader;
  reader.feed(std::string(greeting) + "slurmstepd: error");
  CHECK_THROWS_AS(reader.next(), Error);
}

}  // namespace rv::cli::forward
