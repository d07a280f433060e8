#include "cli/sweep/drive/point_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "base/os/child.h"
#include "base/os/interrupt.h"
#include "base/os/process_tree.h"
#include "shared/system/process_table.h"

namespace rv::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds lag_of_signals(2000);

/// A signal that is caught ends the nap.
void nap(std::chrono::milliseconds span) {
  const timespec time{span.count() / 1000, (span.count() % 1000) * 1'000'000};
  ::nanosleep(&time, nullptr);
}

/// Its wait status once it has ended.
std::optional<int> ended(pid_t pid) {
  int status = 0;
  const pid_t gone = ::waitpid(pid, &status, WNOHANG);
  if (gone == pid) return status;
  return gone < 0 && errno == ECHILD ? std::optional(0) : std::nullopt;
}

os::Child start(const PointProcess& process) {
  const os::Descriptor log(::open(process.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (log.number() < 0) {
    throw Error(fmt::format("can't write {}: {}", process.log, std::strerror(errno)), "check whether the disk is full");
  }
  const auto nothing = os::null_device();
  os::Child child({.argv = process.argv,
                   .environment = process.environment,
                   .folder = process.folder,
                   .in = nothing.number(),
                   .out = log.number(),
                   .err = log.number(),
                   .group = os::Group::own_session,
                   .death_signal = SIGKILL,
                   .default_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}});
  if (const auto fault = child.wait_for_start()) {
    const auto& what = fault->in_folder ? process.folder : process.argv.front();
    throw Error(fmt::format("{}: {}", what, std::strerror(fault->reason)), "give the program's path, or check PATH",
                ExitCode::usage);
  }
  return child;
}

/// The signals by which a job is ended from without.
bool was_told_to_end(int exit_code) {
  constexpr std::array signals = {SIGHUP, SIGINT, SIGTERM, SIGKILL};
  return std::any_of(signals.begin(), signals.end(), [&](int signal) { return exit_code == 128 + signal; });
}

}  // namespace

PointProcessEnd run_point_process(const PointProcess& process) {
  const auto began = Clock::now();
  const auto child = start(process);
  PointProcessEnd end;
  std::optional<int> status;
  const auto take = [&] {
    if (!status) status = ended(child.pid());
    os::reap_adopted({child.pid(), process.spared});
  };
  const auto end_all = [&] {
    os::end_descendants(
        process.grace,
        [&](std::chrono::milliseconds span) {
          if (span.count() > 0) std::this_thread::sleep_for(span);
          take();
        },
        process.spared);
  };
  for (;;) {
    take();
    if (status) break;
    end.interrupted = os::interrupt_waits();
    end.timed_out = process.timeout && Clock::now() - began >= *process.timeout;
    if (end.interrupted || end.timed_out) break;
    nap(std::chrono::milliseconds(20));
  }
  if (status) end.left_behind = static_cast<int>(os::descendants(process.spared).size());
  if (!status || end.left_behind > 0) end_all();
  take();
  end.exit_code = status ? os::exit_code(*status) : 128 + SIGKILL;
  return end;
}

bool interrupt_follows(int exit_code) {
  const auto lag = was_told_to_end(exit_code) ? lag_of_signals : lag_of_signals / 8;
  for (const auto began = Clock::now(); Clock::now() - began < lag; nap(std::chrono::milliseconds(20))) {
    if (os::interrupt_waits()) return true;
  }
  return os::interrupt_waits();
}

}  // namespace rv::sweep
