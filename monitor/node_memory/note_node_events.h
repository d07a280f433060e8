// Records at the end of an attempt what it says of its nodes.
#pragma once

#include <string>
#include <vector>

#include "monitor/jobs/run_view.h"
#include "monitor/node_memory/node_event.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// The events of an attempt with this end, by its logs alone: Slurm is not asked. For a failure, one fault for each
/// node that the diagnosis blames. For a run that ended well, one success for each node. None for a run that was
/// stopped, for a test of nodes that ended well, and for a cluster or a node whose name can't be recorded.
std::vector<NodeEvent> node_events(const RunFolder& folder, const RunFacts& facts, const RunView& view, TimePoint now);

/// Writes these events; of the successes only those that change what is on record, which are few. A second call for the
/// same attempt changes nothing. Best effort: a folder that can't be written loses only these events.
void note_node_events(const RunFolder& folder, const RunFacts& facts, const RunView& view, TimePoint now);

}  // namespace rv::monitor
