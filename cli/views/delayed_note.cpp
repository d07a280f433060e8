#include "cli/views/delayed_note.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t and pthread_sigmask are POSIX

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/os/terminal.h"

namespace rv::cli {

DelayedNote::DelayedNote(std::string text, bool wanted) : text_(std::move(text)) {
  if (!wanted) return;
  // The note's thread blocks all signals, so that Ctrl-C still ends the program.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { wait(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

DelayedNote::~DelayedNote() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void DelayedNote::wait() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) return;
  // Not fmt::print, which throws if stderr is closed: no caller would catch that here.
  std::fwrite(text_.data(), 1, text_.size(), stderr);
  changed_.wait(lock, [this] { return done_; });
  os::move_cursor(stderr, "\r\033[K");
}

}  // namespace rv::cli
