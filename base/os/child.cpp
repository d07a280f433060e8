#include "base/os/child.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/pipe.h"

namespace rv::os {

Child::Child(ChildOrder order) {
  std::optional<Pipe> fault_pipe;
  if (!order.argv.empty()) fault_pipe.emplace();
  order.fault_pipe = fault_pipe ? fault_pipe->end(1) : -1;
  pid_ = start_child(order);
  if (pid_ < 0) {
    throw Error("can't start " + (order.argv.empty() ? "a process" : order.argv.front()) + ": " + std::strerror(errno),
                "close some programs and try again");
  }
  if (!fault_pipe) return;
  start_fault_pipe_ = fault_pipe->take_end(0);
  ::fcntl(start_fault_pipe_.number(), F_SETFL, O_NONBLOCK);
}

std::optional<StartFault> Child::start_fault() const {
  StartFault fault;
  if (::read(start_fault_pipe_.number(), &fault, sizeof fault) != static_cast<ssize_t>(sizeof fault))
    return std::nullopt;
  return fault;
}

std::optional<StartFault> Child::wait_for_start() const {
  if (start_fault_pipe_.number() < 0) return std::nullopt;
  pollfd waiting{start_fault_pipe_.number(), POLLIN, 0};
  while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) continue;
  const auto fault = start_fault();
  if (fault) wait();
  return fault;
}

int Child::wait() const {
  return exit_code(wait_for(pid_).value_or(0));
}

void close_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  const auto limit = static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 65'536L));
  for (int fd = first; fd < limit; ++fd) ::close(fd);  // a kernel before 5.9
}

Descriptor null_device() {
  return Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
}

}  // namespace rv::os
