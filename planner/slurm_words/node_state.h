// A node's state as Slurm reports it, and when a new job may start on the node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

/// When a node in this state takes a new job. A later enumerator overrules an earlier one: of a state with several
/// words the last of theirs counts.
enum class NodeStart {
  now,
  planned,      // free, but the backfill scheduler keeps it for a waiting job
  reserved,     // when the reservation ends, unless the job may use it
  cleaning,     // when the epilogue of the last job has ended
  boot,         // after a boot: ResumeTimeout at most
  reboot,       // when its jobs have ended and it has rebooted
  maintenance,  // when the maintenance reservation ends
  some_time,    // without an administrator, but Slurm does not say when
  unlisted,     // a word that this rv does not know: nothing is assumed
  never,        // not before an administrator changes it
};

/// "MIXED+DRAIN+PLANNED" is base MIXED with flags {DRAIN, PLANNED}.
struct NodeState {
  std::string base;
  std::vector<std::string> flags;
  std::string next{};  // NextState, which Slurm prints while a reboot is pending: RESUME, UNDRAIN, DOWN

  bool has(std::string_view flag) const;
  /// The base state, the flags and the next state, read as slurmctld does (make_node_avail(), _pick_best_nodes(),
  /// validate_node_specs()): a reboot that brings the node back overrules the DOWN and DRAIN that it has set itself.
  NodeStart start() const;
  /// True when the scheduler may start new jobs there soon without an administrator: not down, drained, failed, in
  /// maintenance, rebooting, unheard of or in a state that is not known.
  bool usable() const;
  /// True when the node takes jobs some day without an administrator, or that is not known.
  bool may_return() const;
  /// True when Slurm says by when it takes jobs again: usable(), after maintenance, or after a reboot.
  bool returns_by_known_time() const;
  /// True when it is switched off, or on its way there or back: jobs start once it has booted.
  bool boots_first() const;
  /// True when it reboots and comes back, once the jobs on it have ended.
  bool reboots_first() const;
  /// The flags that this rv does not know.
  std::vector<std::string> unlisted_flags() const;
};

/// "DOWN+DRAIN+REBOOT_ISSUED", with a next state "DOWN+REBOOT_ISSUED, then DOWN".
std::string to_text(const NodeState& state);

}  // namespace rv::planner
