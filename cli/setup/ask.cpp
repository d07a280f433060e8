#include "cli/setup/ask.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/trimmed.h"

namespace rv::cli {
namespace {

/// One line of stdin, byte by byte, so that nothing is taken from what comes after it.
std::string typed_line(char end = '\n') {
  std::string line;
  for (char c = 0;;) {
    const ssize_t count = ::read(STDIN_FILENO, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || c == '\n') return line;
    line += c;
    if (c == end) return line;
  }
}

class SilentTerminal {
 public:
  SilentTerminal() {
    if (::tcgetattr(STDIN_FILENO, &before_) == 0) {
      termios silent = before_;
      // A Ctrl-C that ended rv here would leave the terminal silent: it ends the line instead.
      silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
      silent.c_cc[VEOL] = interrupt;
      if (::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0) return;
    }
    throw Error(fmt::format("the terminal can't hide your input: {}", std::strerror(errno)),
                "give the value on stdin instead");
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  static constexpr char interrupt = '\x03';
  ~SilentTerminal() { ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_); }

 private:
  termios before_{};
};

}  // namespace

bool can_ask(const os::Terminal& terminal) {
  return terminal.in && terminal.err;
}

std::string ask(const std::string& question, const std::string& held) {
  fmt::print(stderr, "{}{}: ", question, held.empty() ? "" : fmt::format(" [{}]", held));
  const std::string line(trimmed(typed_line()));
  return line.empty() ? held : line;
}

bool agree(const std::string& question, bool agreed, const os::Terminal& terminal) {
  if (agreed || !can_ask(terminal)) return true;
  return ask(question + "? y or n", "n") == "y";
}

std::string ask_secret(const std::string& question) {
  const SilentTerminal silent;
  fmt::print(stderr, "{}: ", question);
  std::string line = typed_line(SilentTerminal::interrupt);
  fmt::print(stderr, "\n");
  if (line.ends_with(SilentTerminal::interrupt)) throw Error("interrupted", "", ExitCode::interrupted);
  return line;
}

std::string secret_line(const std::string& question, const os::Terminal& terminal) {
  if (can_ask(terminal)) return std::string(trimmed(ask_secret(question)));
  if (terminal.in) throw Error("can't prompt: stderr is not a terminal", "give it on stdin", ExitCode::usage);
  return std::string(trimmed(typed_line()));
}

}  // namespace rv::cli
