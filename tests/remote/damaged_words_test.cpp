// What the two ends of a connection tell each other, and what ssh, rsync and the kernel print, damaged.
#include <string>

#include "cli/remote/forward/direct_line.h"
#include "cli/remote/forward/forward_arguments.h"
#include "cli/remote/forward/frame.h"
#include "cli/remote/forward/listening_ports.h"
#include "cli/remote/forward/relay_request.h"
#include "cli/remote/hop/follow_channel.h"
#include "cli/remote/hop/hop_request.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hop/session_settings.h"
#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/rsync_output.h"
#include "cli/remote/sync/rsync_shell.h"
#include "tests/damaged.h"

using namespace rv;
using test::survives;

TEST_CASE("damaged frames are refused, and no more is taken from them than was sent") {
  std::string sent(forward::greeting);
  for (const forward::Frame& frame : {forward::Frame{forward::FrameKind::hello, 0, "{}"},
                                      forward::Frame{forward::FrameKind::open, 1, "udc-an33-1 8888"},
                                      forward::Frame{forward::FrameKind::data, 0xfedcba98, std::string(300, 'x')},
                                      forward::Frame{forward::FrameKind::eof, 1, ""}}) {
    forward::append_frame(sent, frame);
  }
  for (const std::size_t step : {std::size_t{1}, std::size_t{50}, std::size_t{1000}}) {
    survives(
        [&](std::string_view bytes) {
          forward::FrameReader reader;
          std::size_t got = 0;
          for (std::size_t at = 0; at < bytes.size(); at += step) {
            reader.feed(bytes.substr(at, step));
            while (const auto frame = reader.next()) got += frame->payload.size();
          }
          CHECK(got <= bytes.size());
        },
        sent);
  }
}

TEST_CASE("a stream with damaged marks comes through") {
  const std::string sent = "hello " + remote::mark("t0", "start") + "a" + remote::mark("t0", "log out 5 9 n1") +
                           "ab\x02"
                           "cd" +
                           remote::mark("t0", "end 255") + "z";
  survives(
      [](std::string_view bytes) {
        std::size_t got = 0;
        remote::MarkReader reader("t0");
        const remote::MarkReader::Sink sink{
            .text = [&](std::string_view text) { got += text.size(); },
            .mark = [&](std::string_view, std::string_view part) { got += part.size(); }};
        for (std::size_t at = 0; at < bytes.size(); at += 3) reader.feed(bytes.substr(at, 3), sink);
        CHECK(got + reader.rest().size() <= bytes.size());
      },
      sent);
  survives([](auto text) { remote::parse_log_mark(text); }, "log err 12 3000000000 udc-an28-1");
}

TEST_CASE("damaged requests and answers between two rv are refused") {
  remote::HopRequest request;
  request.token = "0123456789abcdef";
  request.words = {"up", "-g", "2"};
  request.folder = "/home/ann";
  request.resume = {.wanted = true, .run = "r1", .offsets = {{"n1.out", 17}}};
  survives([](auto text) { remote::decode(text); }, remote::encode(request));
  const forward::RelayRequest wanted{
      .run = "r1", .node = "n1", .ports = {8888}, .automatic = false, .targets = {{"n1", 8888}}};
  survives([](auto text) { forward::relay_request(std::string(text)); }, forward::to_text(wanted));
  const forward::Hello hello{.run = "r1", .name = "r", .targets = {{"n1", 8888}}, .fault = Error("no", "wait")};
  survives([](auto text) { forward::hello(std::string(text)); }, forward::to_text(hello));
  survives([](auto text) { forward::line_offer(std::string(text)); },
           forward::to_text(forward::LineOffer{.port = 4711, .word = "0123", .answer = "4567"}));
  survives([](auto text) { forward::parse_forward_arguments({std::string(text), "8080:8888"}); }, "12345:54321");
  survives([](auto text) { sync::parse_failure(text); }, sync::failure_words(Error("no space", "make some")));
  survives([](auto text) { sync::target_of(text); }, sync::target_name(sync::RsyncTarget::look));
}

TEST_CASE("the damaged list of pushed files is not a list") {
  const sync::FileStates states{{"a b/c\n", {0100644, 12, 1'790'000'000'000'000'000}}, {"x", {0120777, 3, -1}}};
  survives([](auto text) { sync::parse_states(text); }, sync::format(states));
}

TEST_CASE("damaged output of ssh, rsync and the kernel is parsed or skipped") {
  survives(
      [](auto text) {
        remote::sent_environment(remote::parse_session_settings(text), {"LANG=C", "Q=1"});
      },
      "forwardagent no\nsendenv Q*?\nsendenv LC_*\nsetenv A=b c\ncompression no\n");
  survives([](auto text) { remote::session_lines(text); }, "forwardagent no\nsendenv Q*\nsetenv A=b c\n");
  survives([](auto text) { sync::parse_transfer(text); }, "@>f+++++++++ 12 2026/11/22-18:53:41 a b\\#012c");
  survives([](auto text) { sync::unescaped(text); }, "a\\#012\\#377b\\#0");
  survives([](auto text) { sync::parse_progress(text); }, "  1,234  5%  1.20MB/s  0:00:01 (xfr#1, to-chk=3/8)");
  survives([](auto text) { forward::parse_listeners(text); },
           "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
           "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100\n"
           "   0: 00000000000000000000000001000000:22B8 00000000000000000000000000000000:0000 0A 00000000:00000000 "
           "00:00000000 00000000     0        0 18446744073709551615 1 0000000000000000 100 0 0 10 0\n");
}

TEST_CASE("a port that is not an integer is refused") {
  const auto with_port = [](const std::string& port) {
    return R"({"run":"r1","name":"r","targets":[{"node":"n1","port":)" + port + R"(}],"fault":null})";
  };
  CHECK(forward::hello(with_port("8888")).targets.front().port == 8888);
  for (const auto* port : {"8e88", "8.5", "99999999999", "\"8888\"", "null"}) {
    CAPTURE(port);
    CHECK_THROWS_AS(forward::hello(with_port(port)), Error);
  }
}
