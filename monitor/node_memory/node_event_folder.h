// The folder of node events: one file for each event, so that clients and users who write at the same time do not need
// a lock. A group can share it.
#pragma once

#include <string>
#include <vector>

#include "monitor/node_memory/node_event.h"

namespace rv::monitor {

/// Events older than this are not read any more, and their owner's rv removes them.
inline constexpr std::chrono::hours node_memory_lasts{24 * 14};

class NodeEventFolder {
 public:
  /// `shared`: files can be read by everybody who can enter the folder, which must exist.
  explicit NodeEventFolder(std::string path, bool shared = false) : path_(std::move(path)), shared_(shared) {}

  /// The folder of the user's own events in rv's home.
  static NodeEventFolder own(const std::string& home) { return NodeEventFolder(home + "/node-events"); }

  const std::string& path() const { return path_; }

  /// The names of all files that hold events. None if the folder does not exist. Throws Error if it can't be read.
  std::vector<NodeEventName> names() const;

  /// The events of this cluster of the last 14 days, the oldest first. Files that hold no event are skipped. Throws
  /// Error if the folder can't be read.
  std::vector<NodeEvent> read(const std::string& cluster, TimePoint now) const;

  /// Writes the event, and removes this user's events that are too old. Throws Error.
  void write(const NodeEvent& event, TimePoint now) const;

 private:
  void remove_expired(TimePoint now) const;

  std::string path_;
  bool shared_;
};

}  // namespace rv::monitor
