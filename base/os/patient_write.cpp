#include "base/os/patient_write.h"

#include <limits.h>  // NOLINT(modernize-deprecated-headers): PIPE_BUF is POSIX
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rv::os {
namespace {

constexpr int look_up_ms = 50;
constexpr int last_word_ms = 200;

/// A pipe that can be written to has room for so much: the write does not wait for its reader.
std::size_t part_of(int fd) {
  struct stat status = {};
  constexpr std::size_t large = 1 << 20;
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? large : PIPE_BUF;
}

}  // namespace

bool wait_to_write(int fd, const GiveUp& give_up) {
  while (!give_up()) {
    pollfd waiting{fd, POLLOUT, 0};
    if (::poll(&waiting, 1, look_up_ms) > 0) return true;
  }
  return false;
}

Written write_patiently(int fd, std::string_view bytes, const GiveUp& give_up) {
  const std::size_t part = part_of(fd);
  while (!bytes.empty()) {
    if (!wait_to_write(fd, give_up)) return Written::given_up;
    const ssize_t count = ::write(fd, bytes.data(), std::min(part, bytes.size()));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return Written::refused;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Written::all;
}

void write_briefly(std::string_view text) {
  pollfd waiting{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&waiting, 1, last_word_ms) <= 0) return;
  [[maybe_unused]] const ssize_t count =
      ::write(STDERR_FILENO, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
}

}  // namespace rv::os
