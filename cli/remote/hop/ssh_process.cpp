#include "cli/remote/hop/ssh_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/child.h"
#include "base/os/patient_write.h"
#include "base/os/pipe.h"
#include "base/terminal_text.h"
#include "shared/system/descriptor.h"

namespace rv::remote {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct Plumbing {
  int in = -1;  // -1: the parent's
  int out = -1;
  int err = -1;
  std::optional<sigset_t> blocked = std::nullopt;  // its signal mask; nothing: the parent's
  const SharedSession* shared = nullptr;
  int answer = -1;  // of `shared`: gets a byte when the other side has sent any answer
};

/// In the child: becomes the session itself, and returns only where ssh has to be started for it.
void be_session(const Plumbing& plumbing) {
  // Nothing is executed that would close them, and a stdin whose other end is open here as well never ends.
  constexpr int answer = STDERR_FILENO + 1;
  if (plumbing.answer >= 0) ::dup2(plumbing.answer, answer);
  os::close_from(plumbing.answer >= 0 ? answer + 1 : answer);
  ::prctl(PR_SET_NAME, "rv-session");
  const auto taken = [&] {
    [[maybe_unused]] const ssize_t written = plumbing.answer < 0 ? 0 : ::write(answer, "x", 1);
  };
  if (const auto code = run_over_shared_connection(*plumbing.shared, taken)) ::_exit(*code);
  taken();
  if (plumbing.answer >= 0) ::close(answer);
}

os::Child start(const std::vector<std::string>& argv, const Plumbing& plumbing) {
  os::ChildOrder order{
      .argv = argv, .in = plumbing.in, .out = plumbing.out, .err = plumbing.err, .blocked = plumbing.blocked};
  if (plumbing.shared != nullptr) order.first_work = [&] { be_session(plumbing); };
  os::Child child(order);
  if (child.wait_for_start()) {
    throw Error(fmt::format("{} can't be started", argv.front()), "install it (Debian: openssh-client, rsync)");
  }
  return child;
}

sigset_t caught_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::sigaddset(&set, number);
  return set;
}

/// The signals come as readable records while this lives. SIGPIPE is off: a reader that has gone is an answer of write.
class CaughtSignals {
 public:
  CaughtSignals() {
    const sigset_t set = caught_signals();
    ::sigprocmask(SIG_BLOCK, &set, &before_);
    fd_ = os::Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    pipe_before_ = ::signal(SIGPIPE, SIG_IGN);
  }
  ~CaughtSignals() {
    ::signal(SIGPIPE, pipe_before_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;

  int fd() const { return fd_.number(); }
  const sigset_t& before() const { return before_; }
  /// The next signal's number, 0 when there is none.
  int take() const {
    signalfd_siginfo info{};
    return ::read(fd(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  os::Descriptor fd_;
  sigset_t before_{};
  sighandler_t pipe_before_ = SIG_DFL;
};

/// One of the signals that rv passes on is waiting to be taken.
bool signal_is_waiting() {
  sigset_t waiting;
  ::sigpending(&waiting);
  const auto among = [&](int number) { return ::sigismember(&waiting, number) == 1; };
  return among(SIGINT) || among(SIGTERM) || among(SIGHUP) || among(SIGQUIT);
}

class Running {
 public:
  Running(const std::vector<std::string>& argv, const SshStreams& streams) : streams_(streams) {
    os::Pipe out;
    std::optional<os::Pipe> in;
    os::Descriptor null;
    Plumbing plumbing{.out = out.end(1)};
    if (streams.bytes) {
      in.emplace();
      plumbing.in = in->end(0);
      in_ = in->take_end(1);
      ::fcntl(in_.number(), F_SETFL, O_NONBLOCK);
      left_ = *streams.bytes;
    } else if (streams.input == Input::none) {
      null = os::null_device();
      plumbing.in = null.number();
    }
    // Ctrl-C at the terminal reaches every process in front of it; ssh would die and leave the command running.
    sigset_t blocked = signals_.before();
    if (!streams.terminal) {
      ::sigaddset(&blocked, SIGINT);
      ::sigaddset(&blocked, SIGQUIT);
    }
    plumbing.blocked = blocked;
    std::optional<os::Pipe> err;
    if (!streams.terminal && !streams.raw_errors && ::isatty(STDERR_FILENO) == 1) {
      err.emplace();
      plumbing.err = err->end(1);
      err_ = err->take_end(0);
      ::fcntl(err_.number(), F_SETFL, O_NONBLOCK);
    }
    if (streams.shared) plumbing.shared = &*streams.shared;
    child_ = start(argv, plumbing).pid();
    out_ = out.take_end(0);
  }

  int run() {
    while (out_.number() >= 0) step();
    in_.close();
    // ssh may outlive its output for a moment, and signals still count.
    int status = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      if (is_ending() && Clock::now() >= end_) ::kill(child_, SIGKILL);
      pollfd waiting{signals_.fd(), POLLIN, 0};
      ::poll(&waiting, 1, is_ending() ? 100 : 1000);
      handle_signals();
    }
    // Reads what is available; a shared connection may keep its end open.
    while (drain_errors()) continue;
    show_error(filter_.finish());
    return os::exit_code(status);
  }

 private:
  void step() {
    std::array<pollfd, 4> fds{{{out_.number(), POLLIN, 0},
                               {signals_.fd(), POLLIN, 0},
                               {in_.number(), POLLOUT, 0},
                               {err_.number(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    if (is_ending() && left <= 0ms) {
      out_.close();
      return;
    }
    if (::poll(fds.data(), fds.size(), is_ending() ? static_cast<int>(left.count()) : -1) < 0) return;
    if (fds[1].revents != 0) handle_signals();
    if (fds[2].revents != 0) feed();
    if (fds[3].revents != 0) drain_errors();
    if (fds[0].revents != 0) drain();
  }

  /// To a terminal that takes nothing, until a signal comes.
  static void show_error(std::string_view text) { os::write_patiently(STDERR_FILENO, text, signal_is_waiting); }

  /// False where nothing was read.
  bool drain_errors() {
    if (err_.number() < 0) return false;
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(err_.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count > 0) show_error(filter_.feed({buffer.data(), static_cast<std::size_t>(count)}));
    if (count == 0) err_.close();
    return count > 0;
  }

  void drain() {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(out_.number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0 || !streams_.output({buffer.data(), static_cast<std::size_t>(count)})) out_.close();
    if (count > 0 && out_.number() < 0) ::kill(child_, SIGTERM);
  }

  void feed() {
    const ssize_t count = ::write(in_.number(), left_.data(), left_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count > 0) left_.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 || left_.empty()) in_.close();
  }

  void handle_signals() {
    while (const int number = signals_.take()) {
      if (number == SIGCHLD) continue;
      if (!streams_.signalled || !streams_.signalled(number)) end();
    }
  }

  bool is_ending() const { return end_ != Clock::time_point::max(); }

  /// Over a link that hangs the shared connection keeps its end of the output until it is given up: what has come by
  /// now is all.
  void end() {
    ::kill(child_, SIGTERM);
    if (!is_ending()) end_ = Clock::now() + 200ms;
  }

  const SshStreams& streams_;
  CaughtSignals signals_;
  os::Descriptor out_;
  os::Descriptor err_;
  TerminalFilter filter_{TerminalFilter::Cursor::redraws};
  os::Descriptor in_;
  std::string_view left_;
  pid_t child_ = -1;
  Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace

int run_ssh(const std::vector<std::string>& argv, const SshStreams& streams) {
  return Running(argv, streams).run();
}

int run_ssh_to_background(const std::vector<std::string>& argv) {
  os::Pipe said;
  const os::Descriptor null = os::null_device();
  const os::Child child = start(argv, {.in = null.number(), .out = null.number(), .err = said.end(1)});
  said.close_end(1);
  // Some releases keep stderr open in the background, so its end is not the sign that ssh is done.
  std::array<char, 4096> buffer;
  int status = 0;
  bool done = false;
  while (!done) {
    pollfd waiting{said.end(0), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, 20);
    done = ::waitpid(child.pid(), &status, WNOHANG) != 0;
    if (ready <= 0) continue;
    const ssize_t count = ::read(said.end(0), buffer.data(), buffer.size());
    if (count > 0) std::fwrite(buffer.data(), 1, static_cast<std::size_t>(count), stderr);
    if (count <= 0 && !done) return child.wait();
  }
  return os::exit_code(status);
}

Delivery deliver(const std::vector<std::string>& argv, const std::optional<SharedSession>& shared) {
  os::Pipe answer;
  const os::Descriptor null = os::null_device();
  Plumbing plumbing{.in = null.number(), .out = null.number(), .err = null.number()};
  plumbing.shared = shared ? &*shared : nullptr;
  plumbing.answer = shared ? answer.end(1) : -1;
  const os::Child child = start(argv, plumbing);
  answer.close_end(1);
  bool answered = false;
  auto until = Clock::now() + (shared ? 1s : 3s);
  int status = 0;
  while (::waitpid(child.pid(), &status, WNOHANG) == 0) {
    if (signal_is_waiting()) return Delivery::under_way;
    if (Clock::now() >= until) return answered ? Delivery::under_way : Delivery::silent;
    char byte = 0;
    pollfd waiting{shared && !answered ? answer.end(0) : -1, POLLIN, 0};
    if (::poll(&waiting, 1, 10) > 0 && ::read(answer.end(0), &byte, 1) == 1) {
      answered = true;
      until = Clock::now() + 10s;
    }
  }
  return os::exit_code(status) == 0 ? Delivery::ended : Delivery::failed;
}

}  // namespace rv::remote
