#include "cli/remote/hop/marks.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/remote/hop/follow_channel.h"

namespace rv::remote {

namespace {

struct Seen {
  std::string text;
  std::vector<std::string> marks;
  remote::MarkReader::Sink sink{
      .text = [this](std::string_view bytes) { text += bytes; },
      .mark = [this](std::string_view words,
                     std::string_view payload) { marks.push_back(std::string(words) + "=" + std::string(payload)); }};
};

}  // namespace

TEST_CASE("a dialogue's bytes are passed on at once, also those like the beginning of a mark") {
  MarkReader reader("t0");
  std::string text;
  const MarkReader::Sink sink{.text = [&](std::string_view bytes) { text += bytes; },
                              .mark = [&](std::string_view, std::string_view) { reader.no_more(); }};
  reader.feed("chatter" + mark("t0", "start") + "a\x01", sink);
  CHECK(text == "chattera\x01");
  reader.feed("rv t", sink);
  CHECK(text == "chattera\x01rv t");
  reader.feed(mark("t0", "end 0"), sink);
  CHECK(text == "chattera\x01rv t" + mark("t0", "end 0"));
  CHECK(reader.rest().empty());
}

TEST_CASE("marks are found at any split of the stream, and other bytes are unchanged") {
  const std::string stream = "hello\x01rv other start\x02" + remote::mark("t0", "start") + "a\x01" +
                             remote::mark("t0", "log out 5 9 n1") + "ab\x02" + "cd" + "\x01rv t0x" +
                             remote::mark("t0", "end 255") + "z";
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    Seen seen;
    remote::MarkReader reader("t0");
    for (std::size_t at = 0; at < stream.size(); at += piece)
      reader.feed(std::string_view(stream).substr(at, piece), seen.sink);
    CHECK(seen.text + reader.rest() ==
          "hello\x01rv other start\x02"
          "a\x01"
          "\x01rv t0xz");
    CHECK(seen.marks == std::vector<std::string>{"start=",
                                                 "log out 5 9 n1=ab\x02"
                                                 "cd",
                                                 "end 255="});
  }
}

TEST_CASE("a part that is cut off is not handed over, nor shown as text") {
  Seen seen;
  remote::MarkReader reader("t0");
  const std::string part = remote::mark("t0", "log out 5 9 n1") + "ab";
  reader.feed(part, seen.sink);
  CHECK(seen.marks.empty());
  CHECK(seen.text.empty());
  CHECK(reader.rest().empty());
}

TEST_CASE("a single byte that could begin a mark comes out when it does not") {
  Seen seen;
  remote::MarkReader reader("t0");
  reader.feed("x\x01", seen.sink);
  CHECK(seen.text == "x");
  CHECK(reader.rest() == "\x01");
  reader.feed("y", seen.sink);
  CHECK(seen.text == "x\x01y");
}

TEST_CASE("a log mark names file, stream, node and place") {
  const remote::LogPart part = remote::parse_log_mark("log err 12 3000000000 udc-an28-1");
  CHECK(part.file == "udc-an28-1.err");
  CHECK(part.stream == monitor::Stream::err);
  CHECK(part.node == "udc-an28-1");
  CHECK(part.end == 3'000'000'000);
  CHECK_THROWS_AS(remote::parse_log_mark("log err"), Error);
  CHECK_THROWS_AS(remote::parse_log_mark("log err 12 x n"), Error);
}

}  // namespace rv::remote
