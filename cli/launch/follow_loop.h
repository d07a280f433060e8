// Looking at a run again and again, with its output shown as it comes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "cli/remote/hop/run_output.h"
#include "monitor/follow/poll_interval.h"
#include "monitor/race/watcher.h"

namespace rv::cli {

class FollowLoop {
 public:
  using Clock = std::chrono::steady_clock;

  /// The callbacks of a caller that follows a run.
  struct Follower {
    /// Whether the output comes from several nodes; nothing: unknown yet, or no output is shown.
    std::function<std::optional<bool>(const monitor::RunView& view)> several;
    /// The condition to wait for.
    std::function<bool(const monitor::RunView& view)> reached;
    /// Called after each poll that has not reached the end. `followed`: the time since the loop began. May be empty.
    std::function<void(const monitor::RunView& view, Clock::duration followed)> looked;
  };

  /// `first_question`: the earliest query of Slurm; before it only the folder is read.
  FollowLoop(slurm::Gateway& gateway, const monitor::RunFolder& folder, remote::RunOutput& output,
             std::chrono::milliseconds first_question)
      : watcher_(gateway, {folder}), folder_(folder), output_(output), interval_(first_question) {}

  enum class Left {
    reached,      // and everything that was written before has been shown
    interrupted,  // Ctrl-C came before it was over
    cut_short,    // Ctrl-C came while the rest of the output was shown
  };
  Left run(const Follower& follower);

  monitor::Watcher& watcher() { return watcher_; }

 private:
  /// True when there may be more at once.
  bool show_output(const monitor::RunView& view, const Follower& follower);
  bool show_rest();
  /// Says once on stderr that the command has ended and its output is being copied, where that takes a while.
  void announce_copy(const monitor::RunView& view, Clock::time_point now);
  /// Shows what the logs still lack of the sizes that the job recorded, for as long as it may take to become visible;
  /// then prints how much is missing. False when Ctrl-C came.
  bool await_rest(const monitor::RunView& view);

  monitor::Watcher watcher_;
  const monitor::RunFolder& folder_;
  remote::RunOutput& output_;
  monitor::PollInterval interval_;
  std::optional<Clock::time_point> copy_seen_;
  bool copy_announced_ = false;
  bool caught_up_ = false;  // what was there at the beginning has been shown
};

/// Whether output comes from several nodes (of an array: elements), `with_logs` of which have written some by now.
/// Nothing while this is unknown because no candidate has won.
/// `elements`: those of an array that are shown; nothing: all.
std::optional<bool> comes_from_several(const monitor::RunRecord& record, const monitor::RunView& view, int with_logs,
                                       const std::optional<std::vector<int>>& elements = {});

}  // namespace rv::cli
