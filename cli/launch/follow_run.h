// Standing by a run until it has its GPUs, or until it is over.
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
  accepted,  // some candidate is in Slurm's queue, or none can be
  started,   // the GPUs are there
  over,
};

struct Follow {
  Until until = Until::over;
  bool stream = false;  // the command's output to stdout and stderr as it comes
  monitor::Bars bars = monitor::Bars::live;
  std::function<bool()> ready = {};  // `started` waits for this, too, where it is given
  /// A live line below the output while the command works; empty: none.
  std::function<std::string(const monitor::RunView& view)> progress = {};
  bool only_watch = false;  // Ctrl-C ends the watching and leaves the run alone, started or not
};

struct Followed {
  monitor::RunView view;
  bool interrupted = false;  // Ctrl-C: before the start the run has been given up, later it goes on
};

/// Shows progress on stderr. Ctrl-C before the start stops the run and cancels every candidate.
Followed follow_run(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                    const Follow& follow);

/// Follows a command, its output streamed, and answers with rv's exit code. Ctrl-C after the start leaves it running
/// and says so.
int follow_to_end(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                  monitor::Bars bars);

/// What a command does with the run that it has started.
struct Attendance {
  bool detach = false;  // stays only until Slurm has accepted the run, which goes on alone
  bool stream = false;  // while it stays: the command's output as it comes
  std::function<std::string(const monitor::RunView& view)> progress = {};  // as in Follow
  std::string next = {};  // what to do with a run that goes on alone; empty: "rv logs -f k3f9x2 follows it"
};

struct Attended {
  std::optional<int> exit_code;  // ends the command: Ctrl-C, a refusal of all candidates, or a run that goes on alone
  monitor::RunView view;         // otherwise the run is over
};

/// Says what ends the command: for a run that goes on alone its ID on stdout, or with --json the run.
Attended attend(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                const Attendance& attendance);

/// What to do after Ctrl-C with a run that the user has started: says which run goes on, if it does, and what to do
/// with it. The exit code.
int after_interrupt(const monitor::RunFolder& folder, const Followed& followed, const std::string& next = "");

/// The exit code for a run that is over: the command's own, or rv's for an end without one.
int exit_code_of(const monitor::RunView& view);

/// Says on stderr how a run ended when its exit code alone does not, with what to do next.
void explain_end(const monitor::RunFolder& folder, const monitor::RunView& view);

}  // namespace rv::cli
