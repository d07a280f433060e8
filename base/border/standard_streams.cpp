#include "base/border/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/terminal_text.h"

namespace rv {
namespace {

enum class Failure { reported, ignored };

struct Stream {
  int fd;
  Failure failure;
  bool terminal;
  bool utf8;
  TerminalFilter filter{};
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
ssize_t write_stream(void* cookie, const char* bytes, std::size_t size) {
  auto& stream = *static_cast<Stream*>(cookie);
  std::string filtered;
  std::string_view text(bytes, size);
  if (stream.terminal) {
    filtered = stream.filter.feed(text);
    if (!stream.utf8) filtered = ascii_signs(std::move(filtered));
    text = filtered;
  }
  const bool written = write_whole(stream.fd, text);
  return written || stream.failure == Failure::ignored ? static_cast<ssize_t>(size) : 0;
}

void replace(std::FILE*& file, const Stream& wanted, int buffering) {
  auto* const stream = new Stream(wanted);  // as long as the process
  std::fflush(file);
  std::FILE* const made =
      ::fopencookie(stream, "w", {.read = nullptr, .write = write_stream, .seek = nullptr, .close = nullptr});
  if (made == nullptr) {
    delete stream;
    return;
  }
  std::setvbuf(made, nullptr, buffering, BUFSIZ);
  file = made;
}

}  // namespace

void open_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is this one: those before it are open.
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) return;  // a machine without /dev/null
  }
}

void prepare_output_streams(bool utf8) {
  const bool shown = ::isatty(STDOUT_FILENO) == 1;
  if (shown) replace(stdout, {STDOUT_FILENO, Failure::reported, shown, utf8}, _IOLBF);
  replace(stderr, {STDERR_FILENO, Failure::ignored, ::isatty(STDERR_FILENO) == 1, utf8}, _IONBF);
}

}  // namespace rv
