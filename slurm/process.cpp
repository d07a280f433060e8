#include "slurm/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "planner/error.h"

namespace rv::slurm {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) {
      throw Error(std::string("can't make a pipe: ") + std::strerror(errno), "close some programs and try again");
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  int end(int which) const { return ends_[which]; }
  void close_end(int which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const auto& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

// One running command, from fork to the last byte.
class Child {
 public:
  explicit Child(const Command& command) : command_(command), begun_(Clock::now()) {
    const auto words = pointers(command.argv);
    const auto variables = pointers(command.environment);
    pid_ = ::fork();
    if (pid_ < 0) {
      throw Error(std::string("can't start ") + command.argv.front() + ": " + std::strerror(errno),
                  "close some programs and try again");
    }
    if (pid_ == 0) become(words, variables);
    // Both sides set the group, so that it exists before either goes on.
    ::setpgid(pid_, pid_);
    in_.close_end(0);
    out_.close_end(1);
    err_.close_end(1);
    trouble_.close_end(1);
    for (const int fd : {in_.end(1), out_.end(0), err_.end(0)}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    if (command.input.empty()) in_.close_end(1);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool done() const { return done_; }
  Clock::time_point deadline() const { return begun_ + command_.deadline; }
  Result take_result() { return std::move(result_); }

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
    if (out_.end(0) < 0 && err_.end(0) < 0) return finish();
    if (Clock::now() >= deadline()) {
      // What the command itself has started must not live on and write later.
      ::kill(-pid_, SIGKILL);
      result_.timed_out = true;
      finish();
    }
  }

 private:
  [[noreturn]] void become(const std::vector<char*>& words, const std::vector<char*>& variables) {
    ::setpgid(0, 0);
    ::dup2(in_.end(0), 0);
    ::dup2(out_.end(1), 1);
    ::dup2(err_.end(1), 2);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    int reason = 0;
    if (!command_.folder.empty() && ::chdir(command_.folder.c_str()) != 0) {
      reason = errno;
    } else {
      ::execvpe(words[0], words.data(), variables.data());
      reason = errno;
    }
    // The pipe closes by itself when exec works, so a number in it means that it did not.
    if (::write(trouble_.end(1), &reason, sizeof reason) < 0) ::_exit(126);
    ::_exit(127);
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
    while (pipe.end(0) >= 0) {
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
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    result_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    int reason = 0;
    if (::read(trouble_.end(0), &reason, sizeof reason) == static_cast<ssize_t>(sizeof reason)) {
      result_.err = command_.argv.front() + ": " + std::strerror(reason);
    }
    result_.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_);
    done_ = true;
  }

  const Command& command_;
  Clock::time_point begun_;
  Pipe in_, out_, err_, trouble_;
  pid_t pid_ = -1;
  std::size_t fed_ = 0;
  bool done_ = false;
  Result result_;
};

// A child that reads nothing must not end this process.
class IgnorePipeSignal {
 public:
  IgnorePipeSignal() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnorePipeSignal() { ::sigaction(SIGPIPE, &before_, nullptr); }
  IgnorePipeSignal(const IgnorePipeSignal&) = delete;
  IgnorePipeSignal& operator=(const IgnorePipeSignal&) = delete;

 private:
  struct sigaction before_ = {};
};

}  // namespace

std::vector<Result> run_all(std::span<const Command> commands) {
  const IgnorePipeSignal guard;
  std::vector<std::unique_ptr<Child>> children;
  children.reserve(commands.size());
  for (const auto& command : commands) children.push_back(std::make_unique<Child>(command));
  const auto open = [](const auto& child) { return !child->done(); };
  while (std::any_of(children.begin(), children.end(), open)) {
    std::vector<pollfd> polled;
    auto next = Clock::time_point::max();
    for (const auto& child : children) {
      if (child->done()) continue;
      child->add_to(polled);
      next = std::min(next, child->deadline());
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

}  // namespace rv::slurm
