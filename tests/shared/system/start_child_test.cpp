#include "shared/system/start_child.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "shared/system/pipe_ends.h"

using namespace rv::os;

namespace {

using Clock = std::chrono::steady_clock;

struct Said {
  int code = -1;
  std::string text;
};

/// What it writes to stdout, and to stderr too where that is asked for; its exit code, or -1 for another end.
Said said_by(ChildOrder order, bool errors = false) {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  order.out = pipe->writes.number();
  if (errors) order.err = pipe->writes.number();
  std::fflush(nullptr);  // ThreadSanitizer's _exit would write this process's words once more
  const auto child = start_child(order);
  REQUIRE(child > 0);
  pipe->writes.close();
  Said said;
  CHECK(read_to_end(pipe->reads.number(), said.text, Clock::now() + std::chrono::seconds(30)));
  const auto status = wait_for(child);
  REQUIRE(status);
  if (WIFEXITED(*status)) said.code = WEXITSTATUS(*status);
  return said;
}

std::string line_of(const char* file, const std::string& key) {
  return "grep '^" + key + ":' /proc/self/" + file;
}

}  // namespace

TEST_CASE(
    "a child is another program with its arguments, its variables in addition to this process's, and its streams") {
  ::setenv("RV_CHILD_ONE", "old", 1);
  ::setenv("RV_CHILD_TWO", "kept", 1);
  auto words = make_pipe();
  REQUIRE(words);
  REQUIRE(::write(words->writes.number(), "in\n", 3) == 3);
  const auto said = said_by({.argv = {"other", "-c", "read word; echo $0 $word $RV_CHILD_ONE $RV_CHILD_TWO; exit 7"},
                             .program = "sh",
                             .variables = {{"RV_CHILD_ONE", "new"}},
                             .in = words->reads.number()});
  CHECK(said.text == "other in new kept\n");
  CHECK(said.code == 7);
  CHECK(std::string(std::getenv("RV_CHILD_ONE")) == "old");
}

TEST_CASE("a child has nothing of this process's files but its streams") {
  const auto other = make_pipe();
  REQUIRE(other);
  for (const int number : {other->reads.number(), other->writes.number()}) {
    const auto look = said_by({.argv = {"sh", "-c", "[ -e /proc/self/fd/$0 ] || echo closed", std::to_string(number)}});
    CHECK(look.text == "closed\n");
  }
}

TEST_CASE("a missing program ends with 127; on request the reason and a shell's codes are returned") {
  const auto silent = said_by({.argv = {"/nowhere/at/all"}}, true);
  CHECK(silent.code == 127);
  CHECK(silent.text.empty());
  const auto absent = said_by({.argv = {"/nowhere/at/all"}, .prints_fault = true}, true);
  CHECK(absent.code == 127);
  CHECK(absent.text == "/nowhere/at/all: No such file or directory\n");
  const auto folder = said_by({.argv = {"/tmp/"}, .prints_fault = true}, true);
  CHECK(folder.code == 126);
  CHECK(folder.text == "/tmp/: Permission denied\n");
  CHECK(said_by({.argv = {"/tmp/"}}).code == 127);
}

TEST_CASE("a child with work does it once, flushes its output, and ends") {
  const auto said = said_by({.work = [] {
    std::fputs("said late", stdout);
    return 5;
  }});
  CHECK(said.text == "said late");
  CHECK(said.code == 5);
  CHECK(said_by({.work = []() -> int { throw std::runtime_error("trouble"); }}).code == 1);
}

TEST_CASE("what waits to be written here is not written by a child, too") {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fputs("once", file);
  const auto child = start_child({.work = [] { return 0; }});
  CHECK(wait_for(child) == 0);
  std::fflush(file);
  CHECK(std::ftell(file) == 4);
  std::fseek(file, 0, SEEK_END);
  CHECK(std::ftell(file) == 4);
  std::fclose(file);
}

TEST_CASE("a child is in its own session where that is asked for, and only there") {
  const auto session = [] { return ::getsid(0) == ::getpid() ? 1 : 0; };
  CHECK(said_by({.group = Group::own_session, .work = session}).code == 1);
  CHECK(said_by({.work = session}).code == 0);
}

TEST_CASE("a child receives the signals that it should receive") {
  std::signal(SIGUSR1, SIG_IGN);
  const auto ignored = said_by({.argv = {"sh", "-c", line_of("status", "SigIgn")}}).text;
  const auto both = said_by({.argv = {"sh", "-c", line_of("status", "SigIgn")},
                             .default_signals = {SIGUSR1},
                             .ignored_signals = {SIGUSR2}})
                        .text;
  std::signal(SIGUSR1, SIG_DFL);
  const auto mask = [](const std::string& line) {
    return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 16);
  };
  const auto bit = [](int signal) { return 1ULL << static_cast<unsigned>(signal - 1); };
  CHECK((mask(ignored) & bit(SIGUSR1)) != 0);
  CHECK((mask(ignored) & bit(SIGUSR2)) == 0);
  CHECK((mask(both) & bit(SIGUSR1)) == 0);
  CHECK((mask(both) & bit(SIGUSR2)) != 0);
}

/// In a child: waits until its starter is gone, then a moment for the signal that may come of it.
int outlive(pid_t starter, int end) {
  while (::getppid() == starter) ::usleep(1000);
  ::usleep(100'000);
  return ::write(end, "y", 1) == 1 ? 0 : 1;
}

TEST_CASE("a child dies with its parent if requested, and otherwise survives") {
  for (const bool dies : {true, false}) {
    CAPTURE(dies);
    auto pipe = make_pipe();
    REQUIRE(pipe);
    const int end = pipe->writes.number();
    const auto starter = start_child({.work = [dies, end] {
      const auto here = ::getpid();
      ChildOrder order;
      order.death_signal = dies ? SIGKILL : 0;
      order.work = [here, end] { return outlive(here, end); };
      return start_child(order) > 0 && ::write(end, "x", 1) == 1 ? 0 : 1;
    }});
    pipe->writes.close();
    CHECK(wait_for(starter) == 0);
    std::string text;
    // Ends when both are gone.
    CHECK(read_to_end(pipe->reads.number(), text, Clock::now() + std::chrono::seconds(30)));
    CHECK(text == (dies ? "x" : "xy"));
  }
}

TEST_CASE("waiting returns how a child ended, and nothing for another process") {
  const auto child = start_child({.work = [] {
    ::raise(SIGKILL);
    return 0;
  }});
  const auto status = wait_for(child);
  REQUIRE(status);
  CHECK(WIFSIGNALED(*status));
  CHECK(WTERMSIG(*status) == SIGKILL);
  CHECK_FALSE(wait_for(child));
}

TEST_CASE("a pipe is read to its end, and no longer than its time") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  std::string text;
  REQUIRE(::write(pipe->writes.number(), "ab", 2) == 2);
  CHECK_FALSE(read_to_end(pipe->reads.number(), text, Clock::now() + std::chrono::milliseconds(50)));
  CHECK(text == "ab");
  REQUIRE(::write(pipe->writes.number(), "c", 1) == 1);
  pipe->writes.close();
  CHECK(read_to_end(pipe->reads.number(), text, Clock::now() + std::chrono::seconds(30)));
  CHECK(text == "abc");
}
