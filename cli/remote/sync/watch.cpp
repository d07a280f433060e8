#include "cli/remote/sync/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/error.h"
#include "base/os/interrupt.h"
#include "cli/remote/sync/project_files.h"
#include "cli/remote/sync/watched_folders.h"

namespace rv::sync {

namespace {

using namespace std::chrono_literals;

constexpr auto quiet = 200ms;     // without a change before a push begins: editors write in several steps
constexpr auto longest = 2000ms;  // that a push waits for such quiet
constexpr auto look_again = 60s;  // without any word from the kernel
constexpr auto look_often = 2s;   // where the kernel does not watch

std::set<std::string> folders_of(const std::string& root, const FileStates& states) {
  std::set<std::string> folders{root};
  for (const auto& [path, state] : states) {
    for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      if (!folders.insert(root + "/" + path.substr(0, slash)).second) break;
    }
  }
  return folders;
}

class Watch {
 public:
  Watch(const PushOrder& order, const std::function<void(const Pushed&)>& done) : order_(order), done_(done) {}

  int run() {
    fmt::print(stderr, "rv: pushing {} to {} on every change; Ctrl-C ends it\n", order_.project.root,
               order_.there.host);
    os::catch_interrupts();
    auto pushed = push(order_);
    done_(pushed);
    FileStates known = std::move(pushed.states);
    bool watched = watch_all(known);
    bool failed = false;  // then the pause after it has seen what has changed since
    while (!stopped()) {
      if (!failed && folders_.wait(watched ? look_again : look_often)) settle();
      if (stopped()) break;
      failed = false;
      try {
        FileStates now = project_files(order_.project.root);
        watched = watch_all(now);
        if (now != known) known = push_again();
        trouble_.clear();
      } catch (const Error& error) {
        if (stopped()) break;
        if (error.what() != trouble_) fmt::print(stderr, "rv: {}; trying again at every change\n", error.what());
        trouble_ = error.what();
        known.clear();
        failed = true;
        if (folders_.wait(pause_)) settle();
      }
    }
    return os::interrupt_exit_code();
  }

 private:
  bool stopped() {
    stopped_ = stopped_ || os::take_interrupt();
    return stopped_;
  }

  bool watch_all(const FileStates& states) {
    const bool watched = folders_.watch(folders_of(order_.project.root, states));
    if (!watched && !said_) {
      fmt::print(stderr, "rv: the kernel watches no more folders (fs.inotify.max_user_watches): polling every {} s\n",
                 look_often.count());
      said_ = true;
    }
    return watched;
  }

  void settle() {
    const auto until = std::chrono::steady_clock::now() + longest;
    while (std::chrono::steady_clock::now() < until && folders_.wait(quiet)) continue;
  }

  /// The states that were pushed.
  FileStates push_again() {
    bool lost = false;
    for (auto pause = 1000ms;; pause = std::min<std::chrono::milliseconds>(pause * 2, 30s)) {
      try {
        auto pushed = push(order_);
        if (lost) fmt::print(stderr, "rv: {} is back\n", order_.there.host);
        if (!pushed.changes.none()) done_(pushed);
        return std::move(pushed.states);
      } catch (const Error& error) {
        if (error.code() != ExitCode::connection || stopped()) throw;
        if (!lost) fmt::print(stderr, "rv: {}; trying again\n", error.what());
        lost = true;
      }
      const auto until = std::chrono::steady_clock::now() + pause;
      while (std::chrono::steady_clock::now() < until && !stopped()) folders_.wait(100ms);
    }
  }

  const PushOrder& order_;
  const std::function<void(const Pushed&)>& done_;
  WatchedFolders folders_;
  bool stopped_ = false;
  bool said_ = false;
  std::string trouble_;                // printed once, however long it lasts
  static constexpr auto pause_ = 30s;  // after trouble that is not a lost connection
};

}  // namespace

int watch(const PushOrder& order, const std::function<void(const Pushed&)>& done) {
  return Watch(order, done).run();
}

}  // namespace rv::sync
