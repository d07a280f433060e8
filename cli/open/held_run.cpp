#include "cli/open/held_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/os/host_name.h"
#include "base/walltime.h"
#include "monitor/jobs/nodes_in_brief.h"
#include "monitor/race/stop.h"

namespace rv::cli {

void say_what_is_held(const monitor::RunFolder& folder, const monitor::RunView& view) {
  const auto& winner = winner_of(view)->candidate;
  fmt::print(stderr, "rv: {} ({}) is yours for {}, run {}\n", winner.summary, monitor::nodes_in_brief(view),
             format_duration(winner.time_limit), folder.id());
  for (const auto& warning : view.warnings) fmt::print(stderr, "rv: warning: {}\n", warning);
}

void say_still_held(const monitor::RunFolder& folder) {
  fmt::print(stderr, "rv: run {} is still held; rv shell {} enters it, rv stop {} releases it\n", folder.id(),
             folder.id(), folder.id());
}

int release(const monitor::RunFolder& folder, slurm::Gateway& gateway) {
  const auto stopped = monitor::stop_run(folder, gateway, os::host_name());
  if (!stopped.trouble.empty()) {
    fmt::print(stderr, "rv: Slurm did not answer ({}); ", stopped.trouble);
    say_still_held(folder);
    return static_cast<int>(ExitCode::slurm);
  }
  fmt::print(stderr, "rv: released run {}\n", folder.id());
  return 0;
}

}  // namespace rv::cli
