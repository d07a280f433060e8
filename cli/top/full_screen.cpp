#include "cli/top/full_screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/os/interrupt.h"
#include "base/os/patient_write.h"

namespace rv::cli::top {

void FullScreen::enter() {
  if (entered_ || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  // Ctrl-Z would leave the terminal as it is now.
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  entered_ = true;
  // The other screen, no cursor, clicks with their places.
  write("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h");
}

void FullScreen::leave() {
  if (!entered_) return;
  entered_ = false;
  write("\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l");
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

std::pair<int, int> FullScreen::size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {80, 24};
  return {size.ws_col, size.ws_row};
}

void FullScreen::write(std::string_view bytes) {
  os::write_patiently(STDOUT_FILENO, bytes, os::interrupt_waits);
}

}  // namespace rv::cli::top
