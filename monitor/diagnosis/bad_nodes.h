// The nodes that a diagnosis blames, so that a retry avoids them.
#pragma once

#include <string>

#include "monitor/diagnosis/findings.h"

namespace rv::monitor {

/// Adds a node once; ignores an empty name.
void blame(Diagnosis& diagnosis, const std::string& node);

/// Blames the nodes of the lines "Node failure on …" that Slurm writes to the logs.
void blame_failed_nodes(Diagnosis& diagnosis, const RunEvidence& evidence);

/// Blames the node that a message is about: the one that srun could not start on, otherwise the one that wrote it.
void blame_node_of(Diagnosis& diagnosis, const Finding& finding);

/// Blames the run's node if it has only one: of several, any may have failed.
void blame_only_node(Diagnosis& diagnosis, const RunEvidence& evidence);

}  // namespace rv::monitor
