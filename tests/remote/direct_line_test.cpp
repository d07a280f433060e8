#include "cli/remote/forward/direct_line.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>

namespace rv::forward {

namespace {

using namespace std::chrono_literals;

std::vector<Address> here(int port) {
  return {*numeric_address("127.0.0.1", port)};
}

template <typename Done>
bool run_until(os::PollLoop& loop, Done done) {
  for (const auto until = std::chrono::steady_clock::now() + 5s; std::chrono::steady_clock::now() < until;) {
    if (done()) return true;
    loop.run_once(20ms);
  }
  return done();
}

/// What the other end sends until it closes; "…" where it does neither.
std::string heard(os::PollLoop& loop, int fd) {
  std::string text;
  const bool closed = run_until(loop, [&] {
    std::array<char, 100> buffer;
    const ssize_t count = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count == 0 || (count < 0 && errno == ECONNRESET);
  });
  return closed ? text : text + "…";
}

os::Descriptor connected(os::PollLoop& loop, int port) {
  os::Descriptor socket;
  Dialler dialler(loop);
  dialler.dial(here(port), [&](os::Descriptor made, std::size_t, const std::string&) { socket = std::move(made); });
  REQUIRE(run_until(loop, [&] { return socket.number() >= 0; }));
  return socket;
}

void say(const os::Descriptor& socket, const std::string& text) {
  REQUIRE(::send(socket.number(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("a step's offer arrives unchanged") {
  const forward::LineOffer offer{.port = 4711, .word = "word", .answer = "answer"};
  CHECK(forward::line_offer(forward::to_text(offer)) == offer);
  CHECK(forward::line_offer(forward::to_text(LineOffer())) == LineOffer());
  CHECK(forward::line_offer("4711 word") == LineOffer());
}

TEST_CASE("both ends have the line, without remains of the handshake") {
  os::PollLoop loop;
  os::Descriptor there;
  os::Descriptor here_end;
  forward::LineListener listener(loop, [&](os::Descriptor socket) { there = std::move(socket); });
  REQUIRE(listener.offer().port > 0);
  forward::LineCaller caller(loop, here(listener.offer().port), listener.offer(),
                             [&](os::Descriptor socket) { here_end = std::move(socket); });
  REQUIRE(run_until(loop, [&] { return there.number() >= 0 && here_end.number() >= 0; }));
  say(there, "to the login node");
  there.close();
  CHECK(heard(loop, here_end.number()) == "to the login node");
  // It has come; nobody else can.
  bool refused = false;
  forward::LineCaller late(loop, here(listener.offer().port), listener.offer(),
                           [&](os::Descriptor socket) { refused = socket.number() < 0; });
  CHECK(run_until(loop, [&] { return refused; }));
}

TEST_CASE("a stranger without the token receives no data and blocks no other connection") {
  os::PollLoop loop;
  os::Descriptor there;
  forward::LineListener listener(loop, [&](os::Descriptor socket) { there = std::move(socket); });
  const os::Descriptor silent = connected(loop, listener.offer().port);
  const os::Descriptor stranger = connected(loop, listener.offer().port);
  say(stranger, std::string(listener.offer().word.size(), 'x'));
  CHECK(heard(loop, stranger.number()).empty());
  CHECK(there.number() < 0);
  os::Descriptor here_end;
  forward::LineCaller caller(loop, here(listener.offer().port), listener.offer(),
                             [&](os::Descriptor socket) { here_end = std::move(socket); });
  CHECK(run_until(loop, [&] { return there.number() >= 0 && here_end.number() >= 0; }));
  CHECK(heard(loop, silent.number()).empty());
}

TEST_CASE("a process with the step's port but not its answer receives no data") {
  os::PollLoop loop;
  os::Descriptor fooled;
  forward::LineListener impostor(loop, [&](os::Descriptor socket) { fooled = std::move(socket); });
  forward::LineOffer offer = impostor.offer();
  offer.answer = std::string(offer.answer.size(), 'x');
  bool done = false;
  os::Descriptor line;
  forward::LineCaller caller(loop, here(offer.port), offer, [&](os::Descriptor socket) {
    done = true;
    line = std::move(socket);
  });
  REQUIRE(run_until(loop, [&] { return done; }));
  CHECK(line.number() < 0);
}

TEST_CASE("no line is made if no address is reachable") {
  os::PollLoop loop;
  bool none = false;
  forward::LineCaller caller(loop, {}, {.port = 1, .word = "word", .answer = "answer"},
                             [&](os::Descriptor socket) { none = socket.number() < 0; });
  CHECK(none);
}

}  // namespace rv::forward
