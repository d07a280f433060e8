#include "base/os/streamed_command.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/exec_words.h"
#include "base/os/pipe.h"

namespace rv::os {

namespace {

void drain(os::Pipe& pipe, const std::function<void(std::string_view)>& sink) {
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
  os::Pipe out;
  os::Pipe err;
  const auto words = os::exec_words(command.argv);
  const auto variables = os::exec_words(command.environment);
  const pid_t child = ::fork();
  if (child < 0) {
    throw Error("can't start " + command.argv.front() + ": " + std::strerror(errno), "close some programs");
  }
  if (child == 0) {
    ::dup2(command.input, STDIN_FILENO);
    ::dup2(out.end(1), STDOUT_FILENO);
    ::dup2(err.end(1), STDERR_FILENO);
    if (::chdir(command.folder.c_str()) == 0) ::execvpe(words[0], words.data(), variables.data());
    ::_exit(127);
  }
  out.close_end(1);
  err.close_end(1);
  while (out.end(0) >= 0 || err.end(0) >= 0) {
    std::array<pollfd, 2> polled{{{out.end(0), POLLIN, 0}, {err.end(0), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;
    if (polled[0].revents != 0) drain(out, command.out);
    if (polled[1].revents != 0) drain(err, command.err);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rv::os
