// The segments of a checkpointed run, as its jobs wrote them down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/ledger/ledger.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

struct SegmentEnd {
  std::optional<int> code;  // nothing: it left none (its node was lost)
  TimePoint time;
  std::string reason;     // finished, time_limit, crashed, preempted, lost, requeued, cancelled, terminated
  bool progress = false;  // it saved something
};

/// One start of the application.
struct Segment {
  int number = 0;  // from 1
  JobId job;
  int restart = 0;  // of that job
  TimePoint began;
  std::string nodes;              // as Slurm writes them
  std::optional<TimePoint> seen;  // last sign of life, about a minute apart
  std::optional<SegmentEnd> end;
};

/// All that began, by number: `starts` are the ledger's entries of that kind. An end that can't be read as such is
/// none.
std::vector<Segment> read_segments(const RunFolder& folder, const std::vector<Entry>& starts);

/// Time that segments have used: to their ends, and to `now` (or the last sign of life of one that is known to be over,
/// `alive` false) for one without an end.
std::chrono::seconds time_used(const std::vector<Segment>& segments, TimePoint now, bool alive);

/// Nodes that failed under the run, as its jobs and clients noted them.
std::vector<std::string> excluded_nodes(const RunFolder& folder);

}  // namespace rv::monitor
