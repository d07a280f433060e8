#include "workers/ranks/meeting.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <stdexcept>
#include <thread>

using namespace rv::workers;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("after the end of a run is received, the next run can use the same port") {
  int port = 0;
  auto listener = listen_on(port, true);
  Coordinator coordinator({"a", "b"}, {}, Clock::now());
  Meeting over(std::move(listener), "secret", coordinator);
  auto starter = connect_to("127.0.0.1", port, Clock::now() + seconds(5));
  std::thread introducing([&] {
    introduce(starter, {{"op", "watch"}, {"world", 2}, {"first", 1}, {"here", 1}}, "secret", "here",
              Clock::now() + seconds(5));
  });
  for (int i = 0; i < 10; ++i) over.serve(milliseconds(20));
  introducing.join();
  for (int i = 0; i < 2; ++i) over.serve(milliseconds(20));
  over.notify_starters(0, "");
  std::optional<Json> message;
  for (int i = 0; i < 100 && !message; ++i) {
    pollfd waiting{starter.socket(), POLLIN, 0};
    poll(&waiting, 1, 50);
    starter.receive_some(1 << 20);
    message = starter.next();
  }
  REQUIRE(message);
  CHECK(message->value("op", "") == "finished");
  // The run that is over is still there, as a process is that has not ended yet.
  CHECK_THROWS_AS(connect_to("127.0.0.1", port, Clock::now() + milliseconds(300)), std::runtime_error);
  CHECK_NOTHROW(listen_on(port, true));
}
