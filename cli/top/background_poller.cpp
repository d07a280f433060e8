#include "cli/top/background_poller.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t and pthread_sigmask are POSIX

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/top/poller.h"

namespace rv::cli::top {

using namespace std::chrono_literals;

struct BackgroundPoller::Shared {
  Invocation invocation;
  std::mutex mutex;
  std::condition_variable changed;
  std::string selected;
  std::optional<Known> fresh;
  bool stop = false;
  bool stopped = false;

  void work() {
    Poller poller(invocation);
    std::unique_lock lock(mutex);
    while (!stop) {
      const std::string run = selected;
      lock.unlock();
      std::string fault;
      bool looked = false;
      try {
        looked = poller.look(run);
      } catch (const std::exception& error) {
        fault = error.what();
      }
      lock.lock();
      if (looked || !fault.empty()) {
        fresh = poller.known();
        if (!fault.empty()) fresh->trouble = fault;
      }
      if (!looked) changed.wait_for(lock, 500ms, [&] { return stop || selected != run; });
    }
    stopped = true;
    changed.notify_all();
  }
};

BackgroundPoller::BackgroundPoller(const Invocation& invocation) : shared_(std::make_shared<Shared>()) {
  shared_->invocation = invocation;
  // It takes no signals: those are the screen's.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Detached: a query to a controller that does not answer can take a minute, and quitting must not wait for it.
  std::thread([shared = shared_] { shared->work(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BackgroundPoller::~BackgroundPoller() {
  std::unique_lock lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, 300ms, [&] { return shared_->stopped; });
}

void BackgroundPoller::select(const std::string& run) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->selected == run) return;
  shared_->selected = run;
  shared_->changed.notify_all();
}

std::optional<Known> BackgroundPoller::take() {
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->fresh, std::nullopt);
}

}  // namespace rv::cli::top
