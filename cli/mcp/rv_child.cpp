#include "cli/mcp/rv_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/os/unnamed_file.h"

namespace rv::mcp {
namespace {

std::string content(const os::Descriptor& file) {
  std::string text;
  std::array<char, 65536> buffer;
  while (text.size() < most_output) {
    const auto count = ::pread(file.number(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

os::ChildOrder order(const std::vector<std::string>& arguments, int in, int out, int err) {
  sigset_t none;
  ::sigemptyset(&none);
  std::vector<std::string> argv{"rv"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return {.argv = argv,
          .program = "/proc/self/exe",
          .in = in,
          .out = out,
          .err = err,
          .group = os::Group::own,
          .default_signals = {SIGPIPE, SIGINT, SIGTERM},
          .blocked = none};
}

}  // namespace

RvChild::RvChild(const std::vector<std::string>& arguments, std::chrono::milliseconds deadline)
    : start_(Clock::now()),
      deadline_(deadline),
      out_(os::unnamed_file()),
      err_(os::unnamed_file()),
      child_(order(arguments, os::null_device().number(), out_.number(), err_.number())) {}

bool RvChild::has_ended() {
  int status = 0;
  if (::waitpid(child_.pid(), &status, WNOHANG) == child_.pid()) {
    exit_code_ = os::exit_code(status);
    return true;
  }
  if (Clock::now() - start_ < deadline_) return false;
  timed_out_ = true;
  kill();
  return true;
}

void RvChild::kill() {
  ::kill(-child_.pid(), SIGKILL);
  exit_code_ = child_.wait();
}

os::Result RvChild::result() const {
  return {.exit_code = exit_code_,
          .timed_out = timed_out_,
          .out = content(out_),
          .err = content(err_),
          .wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_)};
}

}  // namespace rv::mcp
