#include "cli/setup/waiting_keys.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace rv::cli {
namespace {

/// In the background, reading from the terminal or changing it would stop this process (SIGTTIN, SIGTTOU).
bool in_foreground() {
  return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

}  // namespace

WaitingKeys::WaitingKeys() {
  if (::isatty(STDIN_FILENO) == 0 || !in_foreground() || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  active_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
}

bool WaitingKeys::pressed(char key) const {
  if (!active_ || !in_foreground()) return false;
  bool found = false;
  std::array<char, 64> typed{};
  pollfd terminal{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (::poll(&terminal, 1, 0) > 0 && (terminal.revents & POLLIN) != 0) {
    const ssize_t count = ::read(STDIN_FILENO, typed.data(), typed.size());
    if (count <= 0) break;
    found = found || std::find(typed.begin(), typed.begin() + count, key) != typed.begin() + count;
  }
  return found;
}

void WaitingKeys::end() {
  if (active_ && in_foreground()) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  active_ = false;
}

}  // namespace rv::cli
