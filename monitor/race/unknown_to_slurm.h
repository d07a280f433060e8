// Jobs that neither the controller nor accounting knows, although both answered.
#pragma once

#include <optional>
#include <string>

#include "base/boot_clock.h"
#include "monitor/jobs/run_view.h"
#include "monitor/race/retry_run.h"
#include "monitor/run/run_facts.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::monitor {

/// The last time at which the controller certainly had a job that was not over.
struct Sighting {
  BootMoment moment;
  std::chrono::system_clock::time_point time;
};
/// Returns the submission of the job by this machine. Nothing if another machine submitted it, or this one was rebooted
/// since.
std::optional<Sighting> submission_of(const RunFacts& facts, JobId job);
/// Returns how a job of `cluster` ended that this controller does not have.
/// - forgotten: the job was alive less than MinJobAge before it became unknown, and the controller was started since. A
///   controller keeps an ended job for MinJobAge, so it must have lost this one: it was killed before it saved its
///   state, or was started without it.
/// - purged: any other job. It may have ended in the meantime, also by scancel.
///
/// Nothing if the controller is that of another cluster, or the name of either cluster is not known.
std::optional<Ending> ending_of_unknown(const slurm::ControllerIdentity& controller, const std::string& cluster,
                                        const std::optional<Sighting>& last, const BootMoment& unknown_since);

/// Returns a retry of the race if the controller lost all candidates before one had started; nothing otherwise. The
/// number of such retries has the same limit as after broken hardware. Arrays are excluded: each element passes its own
/// gate.
std::optional<Retry> forgotten_race(const RunFacts& facts, const RunView& view);

/// Returns the time at which the run's last candidate was submitted.
std::optional<TimePoint> last_submission(const RunFacts& facts);

}  // namespace rv::monitor
