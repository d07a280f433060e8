#include "base/os/interrupt.h"

#include <doctest/doctest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace rv::os {
namespace {

using Clock = std::chrono::steady_clock;

void spin(std::chrono::nanoseconds span) {
  const auto end = Clock::now() + span;
  while (Clock::now() < end) continue;
}

/// One signal from a fork of this process, so long after it, while it is asked for. True once it is reported.
bool is_told(std::chrono::nanoseconds after) {
  const pid_t parent = ::getpid();
  // The fork shares its pages with this process, whose first write then faults: where a signal could get lost.
  const pid_t child = ::fork();
  if (child == 0) {
    spin(after);
    ::kill(parent, SIGINT);
    ::pause();
  }
  const auto latest = Clock::now() + std::chrono::seconds(2);
  bool interrupted = false;
  while (!interrupted && Clock::now() < latest) interrupted = take_interrupt();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return interrupted;
}

}  // namespace

TEST_CASE("no interrupt is lost, whenever it comes") {
  catch_interrupts();
  int lost = 0;
  for (int i = 0; i < 1500 && lost == 0; ++i) lost += is_told(std::chrono::nanoseconds(100 * (i % 300))) ? 0 : 1;
  CHECK(lost == 0);
  CHECK_FALSE(take_interrupt());
  CHECK(interrupt_exit_code() == 130);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

}  // namespace rv::os
