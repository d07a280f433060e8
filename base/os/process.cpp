#include "base/os/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "base/os/child.h"
#include "base/os/pipe.h"

namespace rv::os {
namespace {

using Clock = std::chrono::steady_clock;

// One running command, from fork to the last byte.
class Running {
 public:
  explicit Running(const Command& command) : command_(command), begun_(Clock::now()), child_(start()) {
    in_.close_end(0);
    out_.close_end(1);
    err_.close_end(1);
    for (const int fd : {in_.end(1), out_.end(0), err_.end(0)}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    if (command.input.empty()) in_.close_end(1);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!done_) stop();
  }

  bool done() const { return done_; }
  Clock::time_point deadline() const { return begun_ + command_.deadline; }
  Result take_result() { return std::move(result_); }

  /// Closed both streams, and lives on: only asking again and again tells when it ends.
  bool silent() const { return !done_ && out_.end(0) < 0 && err_.end(0) < 0; }

  void add_to(std::vector<pollfd>& polled) const {
    if (in_.end(1) >= 0) polled.push_back({in_.end(1), POLLOUT, 0});
    if (out_.end(0) >= 0) polled.push_back({out_.end(0), POLLIN, 0});
    if (err_.end(0) >= 0) polled.push_back({err_.end(0), POLLIN, 0});
  }

  void serve() {
    if (done_) return;
    feed();
    drain(out_, result_.out);
    drain(err_, result_.err);
    if (silent() && reap()) return finish();
    if (Clock::now() >= deadline()) {
      result_.timed_out = true;
      stop();
      finish();
    }
  }

 private:
  Child start() const {
    sigset_t none;
    ::sigemptyset(&none);
    return Child({.argv = command_.argv,
                  .environment = command_.environment,
                  .folder = command_.folder,
                  .in = in_.end(0),
                  .out = out_.end(1),
                  .err = err_.end(1),
                  .group = Group::own,
                  .default_signals = {SIGPIPE, SIGINT, SIGTERM},
                  .ignored_signals = command_.ignores_broken_pipes ? std::vector<int>{SIGPIPE} : std::vector<int>(),
                  .blocked = none});
  }

  // What the command itself has started must not live on and write later. A process that hangs in a file system can't
  // even be killed: it is not waited for.
  void stop() {
    ::kill(-child_.pid(), SIGKILL);
    for (int i = 0; i < 500 && !reap(); ++i) ::usleep(1000);
  }

  bool reap() {
    if (ended_) return true;
    const pid_t pid = ::waitpid(child_.pid(), &status_, WNOHANG);
    ended_ = pid == child_.pid() || (pid < 0 && errno != EINTR);
    return ended_;
  }

  void feed() {
    while (in_.end(1) >= 0) {
      const ssize_t count = ::write(in_.end(1), command_.input.data() + fed_, command_.input.size() - fed_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count > 0) fed_ += static_cast<std::size_t>(count);
      if (count < 0 || fed_ == command_.input.size()) in_.close_end(1);
    }
  }

  static void drain(Pipe& pipe, std::string& text) {
    char buffer[65536];
    // Bounded, or a child that writes for ever would never meet its deadline.
    for (int round = 0; round < 16 && pipe.end(0) >= 0; ++round) {
      const ssize_t count = ::read(pipe.end(0), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) {
        pipe.close_end(0);
        return;
      }
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }

  void finish() {
    result_.exit_code = ended_ ? exit_code(status_) : 128 + SIGKILL;
    if (const auto fault = child_.start_fault()) {
      result_.err = (fault->in_folder ? command_.folder : command_.argv.front()) + ": " + std::strerror(fault->reason);
    }
    result_.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_);
    done_ = true;
  }

  const Command& command_;
  Clock::time_point begun_;
  Pipe in_, out_, err_;
  Child child_;
  int status_ = 0;
  bool ended_ = false;  // and reaped
  std::size_t fed_ = 0;
  bool done_ = false;
  Result result_;
};

}  // namespace

std::vector<Result> run_all(std::span<const Command> commands) {
  const HoldPipeSignal guard;
  std::vector<std::unique_ptr<Running>> children;
  children.reserve(commands.size());
  for (const auto& command : commands) children.push_back(std::make_unique<Running>(command));
  const auto open = [](const auto& child) { return !child->done(); };
  while (std::any_of(children.begin(), children.end(), open)) {
    std::vector<pollfd> polled;
    auto next = Clock::time_point::max();
    for (const auto& child : children) {
      if (child->done()) continue;
      child->add_to(polled);
      next = std::min(next, child->deadline());
      if (child->silent()) next = std::min(next, Clock::now() + std::chrono::milliseconds(5));
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now()).count() + 1;
    ::poll(polled.data(), polled.size(), static_cast<int>(std::clamp<long long>(left, 0, 60'000)));
    for (const auto& child : children) child->serve();
  }
  std::vector<Result> results;
  results.reserve(children.size());
  for (const auto& child : children) results.push_back(child->take_result());
  return results;
}

Result run(const Command& command) {
  return std::move(run_all({&command, 1}).front());
}

}  // namespace rv::os
