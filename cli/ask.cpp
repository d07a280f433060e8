#include "cli/ask.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "planner/error.h"

namespace rv::cli {
namespace {

/// One line of stdin, byte by byte, so that nothing is taken from what comes after it.
std::string typed_line() {
  std::string line;
  for (char c = 0;;) {
    const ssize_t count = ::read(STDIN_FILENO, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || c == '\n') return line;
    line += c;
  }
}

class SilentTerminal {
 public:
  SilentTerminal() {
    if (::tcgetattr(STDIN_FILENO, &before_) == 0) {
      termios silent = before_;
      silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
      if (::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0) return;
    }
    throw Error(fmt::format("the terminal would show what is typed: {}", std::strerror(errno)),
                "give the value on stdin instead");
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  ~SilentTerminal() { ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_); }

 private:
  termios before_{};
};

}  // namespace

bool can_ask(const Terminal& terminal) {
  return terminal.in && terminal.err;
}

std::string ask(const std::string& question, const std::string& held) {
  fmt::print(stderr, "{}{}: ", question, held.empty() ? "" : fmt::format(" [{}]", held));
  const std::string line = typed_line();
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return held;
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

std::string ask_secret(const std::string& question) {
  // A Ctrl-C while nothing is shown would leave the terminal so: it is taken as a key until the line ends.
  const SilentTerminal silent;
  fmt::print(stderr, "{}: ", question);
  std::string line = typed_line();
  fmt::print(stderr, "\n");
  return line;
}

}  // namespace rv::cli
