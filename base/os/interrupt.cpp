#include "base/os/interrupt.h"

#include <atomic>
#include <csignal>

namespace rv::os {
namespace {

// Read and forgotten in one step: a signal that came between the two would be lost. The first write to its page after
// a fork is a page fault, and signals are delivered at its end, so that gap is not a matter of nanoseconds.
std::atomic<bool> interrupted = false;
std::atomic<int> last = SIGINT;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free, "for signal handlers");

void remember(int signal) {
  last = signal;
  interrupted = true;
}

void catch_signal(int signal) {
  struct sigaction action = {};
  action.sa_handler = remember;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

void catch_hangup() {
  struct sigaction present = {};
  ::sigaction(SIGHUP, nullptr, &present);
  if (present.sa_handler != SIG_IGN) catch_signal(SIGHUP);
}

bool take_interrupt() {
  return interrupted.exchange(false);
}

bool interrupt_waits() {
  return interrupted;
}

int interrupt_exit_code() {
  return 128 + last;
}

bool hung_up() {
  return last == SIGHUP;
}

}  // namespace rv::os
