// Jobs that the controller and accounting both answer for without having them.
#pragma once

#include <optional>
#include <string>

#include "monitor/jobs/run_view.h"
#include "monitor/race/retry_run.h"
#include "monitor/run/run_facts.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::monitor {

/// What became of a job that was submitted to `cluster`, when this controller has no trace of it. A living job is in
/// its controller's memory: one that came up after the submission has forgotten the job (it was killed before it had
/// written it down, or was started empty), another has purged it long after its end. Nothing when it can't be told,
/// because this is the controller of another cluster or either name is not known.
std::optional<Ending> ending_of_unknown(const slurm::ControllerIdentity& controller, const std::string& cluster,
                                        TimePoint submitted);

/// The race to run again when the controller has forgotten every candidate before one had started: nobody wanted it to
/// end. At most as often as for broken hardware. Never for arrays, whose elements pass no common gate.
std::optional<Retry> forgotten_race(const RunFacts& facts, const RunView& view);

/// When the last of its candidates was submitted.
std::optional<TimePoint> last_submission(const RunFacts& facts);

}  // namespace rv::monitor
