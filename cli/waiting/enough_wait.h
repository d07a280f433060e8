// The wait that a run would have had with a smaller request.
#pragma once

#include <optional>

#include "cli/options/invocation.h"
#include "cli/use/enough.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {

/// Replays the queue of the snapshot that the run was planned from, twice: with what the winner asked for, and with
/// `enough` in its place. Finished jobs that ended after the snapshot do not count. Nothing for an array or a chain,
/// where the snapshot is gone, and where either wait is not predicted.
std::optional<EnoughWait> enough_wait(const monitor::KnownRun& run, const monitor::RunView& view, const Enough& enough,
                                      const Invocation& invocation);

struct PastUse {
  RunUse use;
  std::optional<Enough> enough;
};

/// For a run that has started and ended, otherwise nothing. Queries accounting once.
std::optional<PastUse> past_use(const monitor::KnownRun& run, const monitor::RunView& view,
                                const Invocation& invocation);

}  // namespace rv::cli
