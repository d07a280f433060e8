#include "cli/remote/forward/run_end.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t and pthread_sigmask are POSIX
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/run_end.h"
#include "slurm/parse/hostlist.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Empty if the run continues or its state is unknown. Slurm's answer also contains its `nodes`.
std::string end_of(const monitor::KnownRun& run, bool ask_slurm, std::vector<std::string>& nodes) {
  try {
    if (const auto record = monitor::read_facts(run.folder).exit) return monitor::exit_code_words(record->code);
    if (!ask_slurm) return {};
    const auto seen = monitor::poll_runs({run});
    const auto& view = seen.views.front();
    if (!view.nodes.empty()) nodes = slurm::expand_hostlist(view.nodes);
    return monitor::is_final(view.state) ? std::string(to_string(view.state)) : "";
  } catch (const Error&) {
    return {};  // the run's state is unknown if the file system or the controller does not answer
  }
}

}  // namespace

struct RunEnd::Shared {
  os::Descriptor event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::atomic<bool> wanted{true};
  std::atomic<bool> soon{false};
  std::mutex mutex;
  std::string how;
  std::vector<std::string> nodes;
};

RunEnd::RunEnd(const monitor::KnownRun& run) : shared_(std::make_shared<Shared>()) {
  // Signals are for the thread that created this one, which may wait for them with its own mask.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([shared = shared_, run] {
    auto next = Clock::now() + 30s;
    while (shared->wanted) {
      const bool ask = shared->soon.exchange(false) || Clock::now() >= next;
      if (ask) next = Clock::now() + 30s;
      std::vector<std::string> nodes;
      const std::string how = end_of(run, ask, nodes);
      {
        const std::lock_guard lock(shared->mutex);
        if (!nodes.empty()) shared->nodes = nodes;
        shared->how = how;
      }
      if (!how.empty()) {
        ::eventfd_write(shared->event.number(), 1);
        return;
      }
      for (int i = 0; i < 20 && shared->wanted; ++i) std::this_thread::sleep_for(100ms);
    }
  }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

RunEnd::~RunEnd() {
  shared_->wanted = false;
}

int RunEnd::fd() const {
  return shared_->event.number();
}

std::string RunEnd::how() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->how;
}

std::vector<std::string> RunEnd::nodes() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->nodes;
}

void RunEnd::look_soon() {
  shared_->soon = true;
}

}  // namespace rv::forward
