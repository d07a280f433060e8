// An acceptance that fails on a node is recorded like a run that failed there.
#pragma once

#include <string>

#include "cli/settings/settings.h"
#include "reports/accept/judgement.h"

namespace rv::cli {

/// `run`: the ID of the acceptance's run; nothing is recorded if it has no run folder, as on hosts and on this machine.
/// One fault for each node with a finding that fails. `own_baseline`: figures were compared with a file of the user's,
/// which may be an experiment, so only findings that are not about a figure count. Best effort: a folder that can't be
/// written loses only these.
void note_failed_acceptance(const accept::Judgement& judgement, const std::string& run, bool own_baseline,
                            const Settings& settings);

}  // namespace rv::cli
