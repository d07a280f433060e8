// The test of a job's nodes between the claim of its run and the start of the command (rv run --preflight).
#pragma once

#include <string>

#include "reports/accept/order.h"

namespace rv::cli {

/// What a preflight of this many nodes and GPUs runs.
accept::Order preflight_order(int nodes, int gpus_per_node);

/// Tests the nodes of the job around it, in at most order.within_s and two seconds more, with its files in `folder`.
/// Prints two lines for the job's script: "VERDICT NODES" and the reason. The verdict is pass, fail or unknown; NODES
/// are those to leave out after a fail, with commas, or "-". The nodes that failed are recorded (rv nodes), and the
/// figures added to the GPUs' history. Returns 0. Throws Error if the test can't be run.
int run_preflight(const std::string& folder);

}  // namespace rv::cli
