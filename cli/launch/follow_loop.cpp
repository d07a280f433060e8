#include "cli/launch/follow_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/os/interrupt.h"
#include "base/os/visibility.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

// The folder is polled often while a change is likely and rarely later: it may be on a network file
// system that others use too.
std::chrono::milliseconds pause_after(FollowLoop::Clock::duration followed) {
  if (followed < 3s) return 15ms;
  if (followed < 60s) return 100ms;
  return 500ms;
}

}  // namespace

FollowLoop::Left FollowLoop::run(const Follower& follower) {
  const auto begun = Clock::now();
  while (true) {
    const auto now = Clock::now();
    const bool ask = interval_.due(now);
    const auto& view = watcher_.poll(ask).front();
    if (ask) interval_.asked(now, Clock::now(), watcher_.changed());
    const bool more = show_output(view, follower);
    announce_copy(view, now);
    // Before anything is reached: a Ctrl-C that came since the run was made must not be answered with its success.
    if (!monitor::is_final(view.state) && os::take_interrupt()) return Left::interrupted;
    if (follower.reached(view)) return show_rest() && await_rest(view) ? Left::reached : Left::cut_short;
    if (follower.looked) follower.looked(view, now - begun);
    if (!more) std::this_thread::sleep_for(pause_after(now - begun));
  }
}

void FollowLoop::announce_copy(const monitor::RunView& view, Clock::time_point now) {
  if (view.output_copy != monitor::CopyState::under_way || copy_announced_) return;
  if (!copy_seen_) copy_seen_ = now;
  if (now - *copy_seen_ < 2s) return;  // most copies are over by then
  copy_announced_ = true;
  fmt::print(stderr, "rv: the command of run {} has ended{}; its output is being copied\n", folder_.id(),
             view.exit_code ? " with " + monitor::exit_code_words(*view.exit_code) : "");
}

bool FollowLoop::show_output(const monitor::RunView& view, const Follower& follower) {
  if (!output_.begun()) {
    const auto several = follower.several(view);
    if (!several) return false;
    output_.begin(*several);
  }
  if (caught_up_) return output_.poll();
  const bool more = output_.drain();
  caught_up_ = !more;
  return more;
}

bool FollowLoop::show_rest() {
  if (!output_.begun()) return true;
  const auto drain = [&] {
    for (bool more = true; more;) {
      more = output_.drain();
      if (!more) output_.flush();
      if (os::take_interrupt()) return false;
    }
    return true;
  };
  // The exit record is written after the last byte of output, so the output is complete now. What was begun before goes
  // by sizes of before.
  return (caught_up_ || drain()) && drain();
}

bool FollowLoop::await_rest(const monitor::RunView& view) {
  if (!output_.begun()) return true;
  const auto until = Clock::now() + os::visibility_lag(folder_.path());
  while (output_.missing_of(view.log_sizes) > 0) {
    if (Clock::now() >= until) {
      fmt::print(stderr, "rv: {} bytes of the output are not visible on this machine yet; rv logs {} shows them\n",
                 output_.missing_of(view.log_sizes), folder_.id());
      return true;
    }
    std::this_thread::sleep_for(200ms);
    if (os::take_interrupt() || !show_rest()) return false;
  }
  return true;
}

std::optional<bool> comes_from_several(const monitor::RunRecord& record, const monitor::RunView& view, int with_logs,
                                       const std::optional<std::vector<int>>& elements) {
  if (with_logs > 1) return true;
  if (record.job.array && (elements ? elements->size() : record.job.array->elements.size()) > 1) return true;
  if (const auto* winner = winner_of(record, view)) return winner->nodes > 1;
  if (monitor::is_final(view.state)) return false;
  // The log may be newer than the view: its candidate has won since, and further nodes may still write theirs.
  const bool may_be_several = std::any_of(record.candidates.begin(), record.candidates.end(),
                                          [](const monitor::Candidate& candidate) { return candidate.nodes > 1; });
  if (with_logs == 1 && !may_be_several) return false;
  return std::nullopt;
}

}  // namespace rv::cli
