#include "base/border/terminal_streams.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/terminal_text.h"

namespace rv {
namespace {

struct Stream {
  int fd;
  TerminalFilter filter;
  bool utf8;
};

bool write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// As fopencookie wants it: 0 is a failure.
ssize_t write_filtered(void* cookie, const char* bytes, std::size_t size) {
  auto& stream = *static_cast<Stream*>(cookie);
  auto text = stream.filter.feed({bytes, size});
  if (!stream.utf8) text = ascii_signs(std::move(text));
  return write_whole(stream.fd, text) ? static_cast<ssize_t>(size) : 0;
}

void filter(std::FILE*& file, int fd, int buffering, bool utf8) {
  if (::isatty(fd) != 1) return;
  auto* const stream = new Stream{fd, TerminalFilter(), utf8};  // as long as the process
  std::fflush(file);
  std::FILE* const filtered =
      ::fopencookie(stream, "w", {.read = nullptr, .write = write_filtered, .seek = nullptr, .close = nullptr});
  if (filtered == nullptr) {
    delete stream;
    return;
  }
  std::setvbuf(filtered, nullptr, buffering, BUFSIZ);
  file = filtered;
}

}  // namespace

void filter_terminal_streams(bool utf8) {
  filter(stdout, STDOUT_FILENO, _IOLBF, utf8);
  filter(stderr, STDERR_FILENO, _IONBF, utf8);
}

}  // namespace rv
