// What happened on a node, as far as it says whether later runs should use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/failures/cause.h"
#include "monitor/run/journal.h"

namespace rv::monitor {

enum class NodeEventKind {
  fault,      // a run failed, and the cause that was found blames the node
  success,    // a run ended well on the node
  forgotten,  // the user or an administrator wants earlier faults ignored
};

struct NodeEvent {
  NodeEventKind kind = NodeEventKind::fault;
  std::string cluster;  // Slurm's name for itself; empty: not known
  std::string node;
  failures::Cause cause = failures::Cause::unknown;  // of a fault
  std::string evidence;                              // of a fault: the message, one line of at most 300 bytes
  std::string run;                                   // its ID; empty: no run, rv nodes --forget
  int attempt = 1;
  std::string command;  // the same for runs of one name from one folder: 16 hexadecimal digits
  TimePoint time;
  std::string user = {};  // who wrote it, by the owner of the file
};

/// NodeEvent::command of a run of this name from this folder.
std::string command_hash(std::string_view work_folder, std::string_view name);

/// Whether a fault of this cause can be recorded: the cause blames a node, or is a failed preflight. That one is
/// recorded by the job that tested the node, whatever becomes of the run.
bool is_recordable(failures::Cause cause);

/// Slurm's names of nodes and clusters are of letters, digits, ".", "_" and "-". Only such names are recorded.
bool is_recordable_name(std::string_view name);

/// The file that holds the event: the same for the same event, however many clients record it. Unique for
/// `forgotten` by its time.
std::string file_name_of(const NodeEvent& event);

/// What the name of such a file says; nothing for another name.
struct NodeEventName {
  std::string cluster;
  std::string node;
  std::string command;
};
std::optional<NodeEventName> parse_file_name(std::string_view name);

std::string to_line(const NodeEvent& event);
/// Nothing for text that is not an event, or has a name or a cause that no rv writes: other users may write these
/// files.
std::optional<NodeEvent> parse_node_event(std::string_view text);

}  // namespace rv::monitor
