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
/// The job's submission by this machine, since it was booted. Nothing when another machine submitted it.
std::optional<Sighting> submission_of(const RunFacts& facts, JobId job);
/// What became of a job that was submitted to `cluster`, when this controller has no trace of it. A controller keeps a
/// job for MinJobAge after the job's end. So it has forgotten one that was alive less than MinJobAge before it was
/// unknown (it was killed before it had written it down, or was started empty), if it has come up since. Any other job
/// may have ended meanwhile, by a scancel too, and has been purged. Nothing when this is the controller of another
/// cluster, or either name is not known.
std::optional<Ending> ending_of_unknown(const slurm::ControllerIdentity& controller, const std::string& cluster,
                                        const std::optional<Sighting>& last, const BootMoment& unknown_since);

/// The race to repeat, if the controller lost all candidates before one had started, so that no user ended them.
/// At most as often as for broken hardware. Never for arrays, whose elements pass no common gate.
std::optional<Retry> forgotten_race(const RunFacts& facts, const RunView& view);

/// When the last of its candidates was submitted.
std::optional<TimePoint> last_submission(const RunFacts& facts);

}  // namespace rv::monitor
