#include "base/os/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

using namespace rv;
using namespace rv::os;

using namespace std::chrono_literals;

namespace {

Command command(std::vector<std::string> argv, std::chrono::milliseconds deadline = 20s) {
  return {
      .argv = std::move(argv), .input = "", .deadline = deadline, .environment = {"PATH=/usr/bin:/bin"}, .folder = ""};
}

}  // namespace

TEST_CASE("streams stay apart and the exit code is the child's") {
  const auto result = run(command({"sh", "-c", "echo out; echo err >&2; exit 3"}));
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK(result.exit_code == 3);
  CHECK(!result.ok());
}

TEST_CASE("arguments arrive byte for byte, without a shell") {
  CHECK(run(command({"printf", "<%s>", "a b", "", "$(id)", "*"})).out == "<a b><><$(id)><*>");
}

TEST_CASE("input is fed whole and closed, however large") {
  auto cat = command({"cat"});
  cat.input = std::string(10'000'000, 'x') + "end";
  const auto result = run(cat);
  CHECK(result.ok());
  CHECK(result.out == cat.input);
  CHECK(run(command({"cat"})).out.empty());
}

TEST_CASE("a child that does not read its input causes no error") {
  auto command_without_reading = command({"true"});
  command_without_reading.input = std::string(1'000'000, 'x');
  CHECK(run(command_without_reading).ok());
}

TEST_CASE("death by signal is 128 + signal") {
  CHECK(run(command({"sh", "-c", "kill -TERM $$"})).exit_code == 128 + SIGTERM);
}

TEST_CASE("a missing program gives 127 and its name") {
  const auto result = run(command({"no-such-program-rv"}));
  CHECK(result.exit_code == 127);
  CHECK(result.err.find("no-such-program-rv") != std::string::npos);
}

TEST_CASE("a deadline ends the command and what it started") {
  char path[] = "/tmp/rv-process-XXXXXX";
  REQUIRE(::close(::mkstemp(path)) == 0);
  const std::string mark(path);
  const auto begun = std::chrono::steady_clock::now();
  const auto result = run(command({"sh", "-c", "(sleep 2; echo late > " + mark + ") & sleep 60"}, 300ms));
  CHECK(result.timed_out);
  CHECK(!result.ok());
  CHECK(std::chrono::steady_clock::now() - begun < 2s);
  std::this_thread::sleep_for(2500ms);
  std::ifstream file(mark);
  CHECK(file.peek() == std::ifstream::traits_type::eof());
  std::remove(path);
}

TEST_CASE("several commands run at once and answer in their order") {
  const std::array commands{command({"sh", "-c", "sleep 0.5; echo 1"}), command({"sh", "-c", "sleep 0.5; echo 2"}),
                            command({"sh", "-c", "sleep 0.5; echo 3"})};
  const auto begun = std::chrono::steady_clock::now();
  const auto results = run_all(commands);
  CHECK(std::chrono::steady_clock::now() - begun < 1200ms);
  REQUIRE(results.size() == 3);
  CHECK(results[0].out == "1\n");
  CHECK(results[2].out == "3\n");
}

TEST_CASE("folder and environment are the command's own") {
  auto pwd = command({"sh", "-c", "pwd; echo $X"});
  pwd.folder = "/";
  pwd.environment.emplace_back("X=y");
  CHECK(run(pwd).out == "/\ny\n");
  pwd.folder = "/no/such/folder";
  const auto result = run(pwd);
  CHECK(result.exit_code == 127);
  CHECK(result.err.starts_with("/no/such/folder: "));
}

TEST_CASE("a deadline holds for a child that closed its streams, and for one that never stops writing") {
  auto begun = std::chrono::steady_clock::now();
  CHECK(run(command({"sh", "-c", "exec >&- 2>&-; sleep 20"}, 300ms)).timed_out);
  CHECK(std::chrono::steady_clock::now() - begun < 3s);
  begun = std::chrono::steady_clock::now();
  CHECK(run(command({"yes"}, 300ms)).timed_out);
  CHECK(std::chrono::steady_clock::now() - begun < 3s);
}

TEST_CASE("a child that closed its streams still has its exit code") {
  CHECK(run(command({"sh", "-c", "exec >&- 2>&-; sleep 0.1; exit 5"})).exit_code == 5);
}

TEST_CASE("a caller without standard streams has working pipes all the same") {
  int saved[3];
  for (int fd = 0; fd < 3; ++fd) {
    saved[fd] = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
    ::close(fd);
  }
  auto cat = command({"sh", "-c", "cat; echo err >&2"});
  cat.input = "through";
  const auto result = run(cat);
  for (int fd = 0; fd < 3; ++fd) {
    if (saved[fd] < 0) continue;
    ::dup2(saved[fd], fd);
    ::close(saved[fd]);
  }
  CHECK(result.out == "through");
  CHECK(result.err == "err\n");
}

TEST_CASE("the caller's blocked signals are not the child's") {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  CHECK(run(command({"sh", "-c", "kill -TERM $$; exit 0"})).exit_code == 128 + SIGTERM);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a broken pipe ends a child, unless it is to get an error") {
  auto order = command({"bash", "-c", "kill -PIPE $$; echo alive"});
  CHECK(run(order).exit_code == 128 + SIGPIPE);
  order.ignores_broken_pipes = true;
  CHECK(run(order).out == "alive\n");
}
