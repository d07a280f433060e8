#include "base/os/interrupt.h"

#include <csignal>

namespace rv::os {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void remember(int /*signal*/) {
  interrupted = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = remember;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool take_interrupt() {
  const bool was = interrupted != 0;
  interrupted = 0;
  return was;
}

bool interrupt_waits() {
  return interrupted != 0;
}

}  // namespace rv::os
