#include "base/os/streamed_command.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/os/child.h"
#include "base/os/pipe.h"

namespace rv::os {

namespace {

void drain(Pipe& pipe, const std::function<void(std::string_view)>& sink) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(pipe.end(0), buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) {
    pipe.close_end(0);
  } else {
    sink({buffer.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace

int run_streamed(const StreamedCommand& command) {
  Pipe out;
  Pipe err;
  ChildOrder order{.argv = command.argv,
                   .environment = command.environment,
                   .folder = command.folder,
                   .in = command.input,
                   .out = out.end(1),
                   .err = err.end(1)};
  if (command.ends_with_caller) {
    order.group = Group::own;
    order.death_signal = SIGTERM;
  }
  const Child child(order);
  out.close_end(1);
  err.close_end(1);
  while (out.end(0) >= 0 || err.end(0) >= 0) {
    std::array<pollfd, 2> polled{{{out.end(0), POLLIN, 0}, {err.end(0), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;
    if (polled[0].revents != 0) drain(out, command.out);
    if (polled[1].revents != 0) drain(err, command.err);
  }
  return child.wait();
}

}  // namespace rv::os
