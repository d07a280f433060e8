#include "base/os/local_command.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>

#include "base/error.h"
#include "base/os/child.h"
#include "base/os/pipe.h"

using namespace rv;
using namespace rv::os;
using namespace std::chrono_literals;

namespace {

/// In its own process: it changes what becomes of orphans. The code that `ask` returns.
int asked(const std::function<int()>& ask) {
  return Child({.first_work =
                    [&] {
                      int code = 0;
                      try {
                        code = ask();
                      } catch (const Error& error) {
                        code = static_cast<int>(error.code());
                      }
                      ::_exit(code);
                    }})
      .wait();
}

int run_here(const std::vector<std::string>& argv) {
  return run_local(argv, std::nullopt, 0ms).exit_code;
}

}  // namespace

TEST_CASE("a local command returns its own exit code, or why it could not be started") {
  CHECK(asked([] { return run_here({"sh", "-c", "exit 5"}); }) == 5);
  CHECK(asked([] { return run_here({"sh", "-c", "kill -TERM $$"}); }) == 128 + SIGTERM);
  CHECK(asked([] { return run_here({"no-such-program-rv"}); }) == 127);
  CHECK(asked([] { return run_here({"/dev/null"}); }) == 126);
}

TEST_CASE("a local command gets the environment that is given, else ours") {
  const std::vector<std::string> tells{"/bin/sh", "-c", "exit ${X:-9}"};
  CHECK(asked([&] { return run_local(tells, std::nullopt, 0ms, std::vector<std::string>{"X=3"}).exit_code; }) == 3);
  ::unsetenv("X");
  CHECK(asked([&] { return run_here(tells); }) == 9);
}

TEST_CASE("at the time-out all descendants of a local command end, in any session") {
  const auto begun = std::chrono::steady_clock::now();
  CHECK(asked([] {
          const auto end = run_local({"sh", "-c", "setsid sleep 20 & sleep 20"}, 300ms, 2000ms);
          return end.timed_out ? 77 : end.exit_code;
        }) == 77);
  CHECK(std::chrono::steady_clock::now() - begun < 3s);
}

TEST_CASE("a local command receives TERM when the process that waits for it is killed") {
  Pipe output;
  const Child waits({.out = output.end(1), .first_work = [] {
                       run_here({"sh", "-c", "trap 'echo ended; exit' TERM; echo ready; sleep 20 & wait"});
                       ::_exit(0);
                     }});
  output.close_end(1);
  std::string text;
  std::array<char, 64> buffer{};
  const auto read_on = [&] {
    const auto count = ::read(output.end(0), buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  };
  REQUIRE(read_on());
  ::kill(waits.pid(), SIGKILL);
  waits.wait();
  while (text.find("ended") == std::string::npos && read_on()) {
  }
  CHECK(text == "ready\nended\n");
}

TEST_CASE("a signal to only this process is forwarded") {
  CHECK(asked([] {
          return run_here({"sh", "-c", "trap 'exit 8' TERM; kill -TERM $PPID; while :; do sleep 0.05; done"});
        }) == 8);
}
