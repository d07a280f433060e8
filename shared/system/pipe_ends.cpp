#include "shared/system/pipe_ends.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace rv::os {

std::optional<PipeEnds> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  PipeEnds pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  for (Descriptor* const end : {&pipe.reads, &pipe.writes}) {
    if (end->number() > STDERR_FILENO) continue;
    Descriptor higher(::fcntl(end->number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (higher.number() < 0) return std::nullopt;
    *end = std::move(higher);
  }
  return pipe;
}

bool read_to_end(int from, std::string& text, std::chrono::steady_clock::time_point until) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto rest = until - std::chrono::steady_clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(rest).count();
    if (left <= 0) return false;
    pollfd one{from, POLLIN, 0};
    if (::poll(&one, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace rv::os
