#include "cli/top/session.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "base/os/child.h"
#include "base/os/interrupt.h"
#include "cli/top/background_poller.h"
#include "cli/top/draw.h"
#include "cli/top/full_screen.h"
#include "cli/top/keys.h"
#include "cli/top/press.h"
#include "shared/time_text.h"

namespace rv::cli::top {
namespace {

constexpr int poll_ms = 200;

class Session {
 public:
  explicit Session(const Invocation& invocation) : terminal_(invocation.terminal), poller_(invocation) {}

  int run() {
    os::catch_interrupts();
    os::catch_hangup();
    while (!quits_) {
      if (os::take_interrupt()) return os::hung_up() ? os::interrupt_exit_code() : 0;
      if (auto fresh = poller_.take()) {
        known_ = std::move(*fresh);
        stale_ = true;
      }
      show();
      for (const auto& key : next_keys()) {
        const auto pressed = press(known_, std::move(choice_), key);
        choice_ = pressed.choice;
        stale_ = true;
        if (pressed.action == Action::quit) quits_ = true;
        if (!pressed.run.empty()) leave_for(pressed.action, pressed.run);
      }
    }
    return 0;
  }

 private:
  void show() {
    const auto [width, height] = FullScreen::size();
    const auto moment = current_time();
    const bool resized = screen_.width() != width || screen_.height() != height;
    if (!stale_ && !resized && moment == drawn_at_) return;
    auto drawn = draw(known_, std::move(choice_), moment, width, height, terminal_.utf8);
    choice_ = std::move(drawn.choice);
    const auto shown = shown_runs(known_, choice_);
    const int row = selected_row(shown, choice_);
    poller_.select(row < 0 ? "" : shown[static_cast<std::size_t>(row)]->id);
    FullScreen::write(drawn.screen.ansi(fresh_ ? nullptr : &screen_, terminal_.colour));
    screen_ = std::move(drawn.screen);
    drawn_at_ = moment;
    stale_ = fresh_ = false;
  }

  std::vector<Key> next_keys() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, poll_ms) <= 0) return keys_.waits() ? keys_.flush() : std::vector<Key>();
    char bytes[1024];
    const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count == 0) quits_ = true;  // the terminal has gone
    if (count <= 0) return {};
    return keys_.feed(std::string_view(bytes, static_cast<std::size_t>(count)));
  }

  /// The command of that name, on the whole terminal, and back.
  void leave_for(Action action, const std::string& run) {
    std::vector<std::string> argv{"/proc/self/exe"};
    switch (action) {
      case Action::logs:
        argv.insert(argv.end(), {"logs", "-f", run});
        break;
      case Action::why:
        argv.insert(argv.end(), {"why", run});
        break;
      case Action::show:
        argv.insert(argv.end(), {"show", run});
        break;
      case Action::shell:
        argv.insert(argv.end(), {"shell", run});
        break;
      case Action::stop:
        argv.insert(argv.end(), {"stop", run});
        break;
      default:
        return;
    }
    full_screen_.leave();
    fmt::print("\x1b[1mrv {}\x1b[0m\n", fmt::join(argv.begin() + 1, argv.end(), " "));
    std::fflush(stdout);
    os::Child({.argv = argv}).wait();
    os::take_interrupt();  // was for the command
    fmt::print("\nrv: Enter goes back to rv top\n");
    std::fflush(stdout);
    for (char byte = 0; byte != '\n' && !os::interrupt_waits();) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      if (::poll(&input, 1, poll_ms) > 0 && ::read(STDIN_FILENO, &byte, 1) <= 0) break;
    }
    full_screen_.enter();
    fresh_ = true;
  }

  os::Terminal terminal_;
  BackgroundPoller poller_;
  FullScreen full_screen_;
  KeyReader keys_;
  Known known_;
  Choice choice_;
  Screen screen_{1, 1};
  TimePoint drawn_at_;
  bool stale_ = true;
  bool fresh_ = true;  // the terminal shows nothing of ours
  bool quits_ = false;
};

}  // namespace

int run_session(const Invocation& invocation) {
  return Session(invocation).run();
}

}  // namespace rv::cli::top
