#include "base/os/child.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

#include "base/os/pipe.h"

using namespace rv;
using namespace rv::os;

namespace {

std::string all_of(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

struct Said {
  int code = -1;
  std::string text;
};

/// What the ordered child writes to its stdout, to the last byte.
Said said_by(ChildOrder order) {
  Pipe out;
  order.out = out.end(1);
  const Child child(order);
  out.close_end(1);
  std::string text = all_of(out.end(0));
  return {child.wait(), text};
}

sigset_t set_of(int signal) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  return set;
}

}  // namespace

TEST_CASE("a program gets its arguments, its environment and its folder, and its exit code is returned") {
  const auto said = said_by({.argv = {"sh", "-c", "echo \"$1\" $X $HOME; pwd; exit 3", "sh", "a  b"},
                             .environment = std::vector<std::string>{"X=y", "PATH=/usr/bin:/bin"},
                             .folder = "/"});
  CHECK(said.text == "a  b y\n/\n");
  CHECK(said.code == 3);
}

TEST_CASE("without its own environment it has this process's") {
  ::setenv("RV_CHILD_TEST", "here", 1);
  CHECK(said_by({.argv = {"sh", "-c", "echo $RV_CHILD_TEST"}}).text == "here\n");
  ::unsetenv("RV_CHILD_TEST");
  CHECK(said_by({.argv = {"/bin/sh", "-c", "echo x$RV_CHILD_TEST"}, .environment = std::vector<std::string>()}).text ==
        "x\n");
}

TEST_CASE("a program that is not there, and a folder that is not, are distinguished, and waited for") {
  const Child none({.argv = {"no-such-program-rv"}});
  const auto fault = none.wait_for_start();
  REQUIRE(fault);
  CHECK(fault->reason == ENOENT);
  CHECK(!fault->in_folder);
  CHECK(::kill(none.pid(), 0) != 0);

  const auto refused = Child({.argv = {"/"}}).wait_for_start();
  REQUIRE(refused);
  CHECK(refused->reason == EACCES);

  const Child nowhere({.argv = {"true"}, .folder = "/no/such/folder"});
  CHECK(nowhere.wait() == 127);
  const auto in_folder = nowhere.start_fault();
  REQUIRE(in_folder);
  CHECK(in_folder->in_folder);

  const Child runs({.argv = {"sleep", "0.2"}});
  CHECK(!runs.start_fault());
  CHECK(!runs.wait_for_start());
  CHECK(runs.wait() == 0);
}

TEST_CASE("a group and a session are the child's own only when it is ordered") {
  const auto group_and_session = [](Group group) {
    const Child child({.argv = {"sleep", "20"}, .group = group});
    CHECK(!child.wait_for_start());
    const std::pair found{::getpgid(child.pid()) == child.pid(), ::getsid(child.pid()) == child.pid()};
    ::kill(child.pid(), SIGKILL);
    CHECK(child.wait() == 128 + SIGKILL);
    return found;
  };
  CHECK(group_and_session(Group::callers) == std::pair{false, false});
  CHECK(group_and_session(Group::own) == std::pair{true, false});
  CHECK(group_and_session(Group::own_session) == std::pair{true, true});
}

TEST_CASE("signals that are blocked or ignored here stay so, unless it is ordered otherwise") {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  const std::vector<std::string> dies{"sh", "-c", "kill -TERM $$; exit 0"};
  CHECK(Child({.argv = dies}).wait() == 0);
  CHECK(Child({.argv = dies, .default_signals = {SIGTERM}}).wait() == 128 + SIGTERM);
  std::signal(SIGTERM, before);
  const sigset_t term = set_of(SIGTERM);
  CHECK(Child({.argv = dies, .blocked = term}).wait() == 0);
  sigset_t was;
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_BLOCK, &term, &was);
  CHECK(Child({.argv = dies}).wait() == 0);
  CHECK(Child({.argv = dies, .blocked = none}).wait() == 128 + SIGTERM);
  ::pthread_sigmask(SIG_SETMASK, &was, nullptr);
}

TEST_CASE("work comes before the program, and may be all there is") {
  const auto write = [](const char* text) { [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text, 1); };
  CHECK(said_by({.argv = {"echo", "b"}, .first_work = [&] { write("a"); }}).text == "ab\n");
  const auto alone = said_by({.first_work = [&] { write("a"); }});
  CHECK(alone.text == "a");
  CHECK(alone.code == 0);
  CHECK(said_by({.first_work = [] { throw std::runtime_error("lost"); }}).code == 1);
  CHECK(!Child({.first_work = [] { ::_exit(7); }}).wait_for_start());
}

TEST_CASE("streams among the first three reach their places whatever their numbers") {
  Pipe answer;
  const Child outer({.first_work = [&] {
    // As in a process that was started without standard streams: what is opened gets their numbers.
    Pipe in;
    Pipe out;
    [[maybe_unused]] const ssize_t fed = ::write(in.end(1), "through", 7);
    for (const int fd : {0, 1, 2}) ::close(fd);
    const int its_out = ::fcntl(out.end(1), F_DUPFD_CLOEXEC, 0);  // 0
    const int its_in = ::fcntl(in.end(0), F_DUPFD_CLOEXEC, 0);    // 1
    const int its_err = ::fcntl(out.end(1), F_DUPFD_CLOEXEC, 0);  // 2: in its place, to be closed by exec
    in.close_end(1);
    const Child child({.argv = {"sh", "-c", "cat; echo err >&2"}, .in = its_in, .out = its_out, .err = its_err});
    child.wait();
    std::array<char, 100> buffer;
    const ssize_t count = ::read(out.end(0), buffer.data(), buffer.size());
    if (count > 0 && ::write(answer.end(1), buffer.data(), static_cast<std::size_t>(count)) != count) ::_exit(2);
  }});
  answer.close_end(1);
  CHECK(all_of(answer.end(0)) == "througherr\n");
  CHECK(outer.wait() == 0);
}
