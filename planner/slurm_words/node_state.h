// A node's state as Slurm reports it, and when a new job may start on the node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

/// When a node in this state accepts a new job. If a state has several flags, the last of their enumerators counts.
enum class NodeStart {
  now,
  planned,      // free, but the backfill scheduler has planned a waiting job on it
  reserved,     // when the reservation ends, unless the job may use it
  cleaning,     // when the epilogue of the last job has ended
  boot,         // after a boot: ResumeTimeout at most
  reboot,       // when its jobs have ended and it has rebooted
  maintenance,  // when the maintenance reservation ends
  some_time,    // without an administrator, but Slurm does not say when
  unlisted,     // a state that this version of rv does not know: nothing is assumed
  never,        // not before an administrator changes it
};

/// A node's state: "MIXED+DRAIN+PLANNED" has the base MIXED and the flags {DRAIN, PLANNED}.
struct NodeState {
  std::string base;
  std::vector<std::string> flags;
  std::string next{};  // NextState, which Slurm prints while a reboot is pending: RESUME, UNDRAIN, DOWN

  bool has(std::string_view flag) const;
  /// The base state, the flags and the next state, read as slurmctld does (make_node_avail(), _pick_best_nodes(),
  /// validate_node_specs()). A reboot that brings the node back overrides the DOWN and DRAIN that the reboot itself has
  /// set.
  NodeStart start() const;
  /// Whether the scheduler may soon start new jobs on the node without an administrator. False if it is down, drained,
  /// failed, in maintenance, rebooting, or in an unknown state.
  bool usable() const;
  /// Whether the node accepts jobs some day without an administrator; true if that is not known.
  bool may_return() const;
  /// Whether Slurm reports when the node accepts jobs again: if it is usable(), in maintenance, or rebooting.
  bool returns_by_known_time() const;
  /// Whether the node is powered down, powering down or powering up: jobs start when it has booted.
  bool boots_first() const;
  /// Whether the node reboots, and returns to service, when its jobs have ended.
  bool reboots_first() const;
  /// The flags that this version of rv does not know.
  std::vector<std::string> unlisted_flags() const;
};

/// Text: "DOWN+DRAIN+REBOOT_ISSUED"; with a next state "DOWN+REBOOT_ISSUED, then DOWN".
std::string to_text(const NodeState& state);

}  // namespace rv::planner
