// What the events of a node add up to: whether plans avoid it, and why. Pure.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "monitor/node_memory/node_event.h"

namespace rv::monitor {

/// Faults count for this long.
inline constexpr std::chrono::hours fault_counts_for{24 * 7};
/// Plans avoid a node whose faults add up to this.
inline constexpr double faults_to_avoid = 2;
/// If a command failed for the same cause on this many nodes and has not ended well since, its faults do not count: the
/// command is the likely reason.
inline constexpr std::size_t nodes_of_a_broken_command = 3;

struct NodeFault {
  NodeEvent event;
  /// 1 for a fault after which no other run ended well on the node, halved by each run that did; 0 if it does not
  /// count.
  double weight = 1;
  std::string excuse = {};  // why it does not count; empty: it does
};

struct NodeRecord {
  std::string node;
  std::vector<NodeFault> faults;  // the newest first; those before --forget are left out
  int successes = 0;              // runs that ended well since the oldest of these faults
  double weight = 0;              // of all faults
  bool avoided() const { return weight >= faults_to_avoid; }
};

/// The nodes that have a fault, the heaviest first, then by name. `events` are of one cluster, the oldest first.
std::vector<NodeRecord> node_records(const std::vector<NodeEvent>& events, TimePoint now);

}  // namespace rv::monitor
