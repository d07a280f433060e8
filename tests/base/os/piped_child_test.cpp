#include "base/os/piped_child.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

using namespace rv::os;
using namespace std::chrono_literals;

namespace {

std::string some_of(int fd) {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace

TEST_CASE("a piped child answers, and its end has a code") {
  PipedChild child({"sh", "-c", "echo lost >&2; read line; echo \"got $line $X\"; exit 3"},
                   {"PATH=/usr/bin:/bin", "X=y"});
  REQUIRE(::write(child.to(), "word\n", 5) == 5);
  CHECK(some_of(child.from()) == "got word y\n");
  CHECK(some_of(child.from()).empty());
  CHECK(child.wait() == 3);
  CHECK(child.wait() == -1);
}

TEST_CASE("a piped child without its own environment has ours") {
  ::setenv("RV_PIPED_TEST", "here", 1);
  CHECK(some_of(PipedChild({"sh", "-c", "echo $RV_PIPED_TEST"}).from()) == "here\n");
  ::unsetenv("RV_PIPED_TEST");
}

TEST_CASE("a piped program that is missing ends without output") {
  PipedChild child({"no-such-program-rv"});
  CHECK(some_of(child.from()).empty());
  CHECK(child.wait() == 127);
}

TEST_CASE("a piped child ends with its owner, though SIGTERM is blocked here") {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto begun = std::chrono::steady_clock::now();
  { const PipedChild child({"sleep", "20"}); }
  CHECK(std::chrono::steady_clock::now() - begun < 1900ms);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}
