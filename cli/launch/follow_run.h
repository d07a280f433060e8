// Following a run until it has its GPUs, or until it is over.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/options/invocation.h"
#include "monitor/follow/output_writer.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::cli {

enum class Until {
  accepted,  // a candidate is in Slurm's queue, or Slurm refused all
  started,   // the run has its GPUs
  over,
};

struct Follow {
  Until until = Until::over;
  bool stream = false;  // the command's output to stdout and stderr as it comes
  monitor::Bars bars = monitor::Bars::live;
  std::function<bool()> ready = {};  // if given, `started` also waits until this returns true
  /// A live line below the output while the command works; empty: none.
  std::function<std::string(const monitor::RunView& view)> progress = {};
  bool only_watch = false;  // Ctrl-C stops following and never stops the run
  bool announce = false;    // a line on stderr when the run starts: the run, its GPUs and nodes
  bool may_detach = false;  // d on the terminal ends the following before the start; the run stays in the queue
};

struct Followed {
  monitor::RunView view;
  bool interrupted = false;  // by Ctrl-C: a run that had not started was stopped, a started one continues
  bool detached = false;     // by d
};

/// After a lost connection: the run that the first connection started for the same call. Ctrl-C is caught from then on.
/// Throws Error(connection) if there is none.
monitor::RunFolder resumed_run(const Invocation& invocation);

/// Shows progress on stderr. Ctrl-C before the start stops the run and cancels every candidate.
Followed follow_run(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                    const Follow& follow);

/// Follows a command and streams its output. Returns the command's exit code, or rv's own if there is none. Ctrl-C
/// after the start leaves it running and prints that. `progress`: as in Follow.
int follow_to_end(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                  monitor::Bars bars, const std::function<std::string(const monitor::RunView& view)>& progress = {});

/// The actions of a command with the run that it has started.
struct Attendance {
  bool detach = false;  // return once Slurm has accepted the run
  bool stream = false;  // while following: stream the command's output
  std::function<std::string(const monitor::RunView& view)> progress = {};  // as in Follow
  std::string next = {};  // what to do with a detached run; empty: "rv logs -f k3f9x2 follows it"
};

struct Attended {
  std::optional<int> exit_code;  // rv ends with it: Ctrl-C, all candidates refused, or a detached run
  monitor::RunView view;         // otherwise the run is over
};

/// Prints the result: for a detached run its ID on stdout, with --json the run.
Attended attend(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                const Attendance& attendance);

/// After Ctrl-C: prints which run continues, if it does, and what to do with it. Returns the exit code.
int after_interrupt(const monitor::RunFolder& folder, const Followed& followed, const std::string& next = "");

/// The exit code for a run that is over: the command's own, or rv's for an end without one.
int exit_code_of(const monitor::RunView& view);

/// Prints on stderr how a run ended if the exit code does not show it, and what to do next.
void explain_end(const monitor::RunFolder& folder, const monitor::RunView& view, const os::Terminal& terminal);

}  // namespace rv::cli
