#include "workers/training/warned_end.h"

#include <atomic>
#include <csignal>

namespace rv::workers {
namespace {

std::atomic<bool> warned = false;

extern "C" void note_the_warning(int) {
  warned = true;
}

}  // namespace

void catch_the_warning() {
  struct sigaction action {};
  action.sa_handler = note_the_warning;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

bool was_warned() {
  return warned.load();
}

}  // namespace rv::workers
