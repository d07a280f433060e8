#include "base/os/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "base/variable.h"

namespace rv::os {

namespace {

int columns(bool terminal) {
  const std::string wanted = variable("COLUMNS");
  int width = 0;
  std::from_chars(wanted.data(), wanted.data() + wanted.size(), width);
  if (width > 0) return width;
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return Terminal().width;
}

bool same_place(int one, int other) {
  struct stat a = {};
  struct stat b = {};
  return ::fstat(one, &a) == 0 && ::fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = variable(name);
    if (locale.empty()) continue;
    for (const char* charset : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
      if (locale.find(charset) != std::string::npos) return true;
    }
    return false;
  }
  return false;
}

}  // namespace

Terminal read_terminal() {
  Terminal terminal;
  terminal.in = isatty(STDIN_FILENO) == 1;
  terminal.out = isatty(STDOUT_FILENO) == 1;
  terminal.err = isatty(STDERR_FILENO) == 1;
  terminal.one_output = same_place(STDOUT_FILENO, STDERR_FILENO);
  terminal.width = columns(terminal.out);
  terminal.colour = terminal.out && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  terminal.cursor = terminal.err && variable("TERM") != "dumb";
  terminal.utf8 = speaks_utf8();
  return terminal;
}

bool terminal_is_there() {
  return isatty(STDIN_FILENO) == 1;
}

void discard_output() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    // A file that it was sent to stays.
    struct stat status = {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) continue;
    ::dup2(nowhere, fd);
  }
  ::close(nowhere);
}

void move_cursor(std::FILE* file, std::string_view sequence) {
  std::fflush(file);
  [[maybe_unused]] const ssize_t written =
      ::write(file == stdout ? STDOUT_FILENO : STDERR_FILENO, sequence.data(), sequence.size());
}

int columns_of_stderr(int otherwise) {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

}  // namespace rv::os
