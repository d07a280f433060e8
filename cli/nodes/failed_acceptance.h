// An acceptance that fails on a node is recorded like a run that failed there.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/failures/cause.h"
#include "cli/settings/settings.h"
#include "reports/accept/judgement.h"

namespace rv::cli {

/// The test that failed.
struct FailedTest {
  std::string test;                                       // its name, for people
  failures::Cause cause = failures::Cause::gpu_hardware;  // of the faults; one that can be recorded
  std::string run;  // ID of its run; nothing is recorded if it has no run folder, as on hosts and on this machine
  std::optional<std::chrono::sys_seconds> time = {};  // default: when the run was created
  /// Figures were compared with a file of the user's, which may be an experiment: only findings that are not about a
  /// figure count.
  bool own_baseline = false;
};

/// Records one fault for each node with a finding that fails. Best effort: a folder that can't be written loses only
/// these.
void note_failed_acceptance(const accept::Judgement& judgement, const FailedTest& failed, const Settings& settings);

}  // namespace rv::cli
