// The segments of a checkpointed run, as its jobs wrote them down.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/ledger/ledger.h"
#include "monitor/run/run_folder.h"
#include "monitor/run/stored_name.h"

namespace rv::monitor {

/// Why a segment ended.
enum class SegmentReason {
  unknown,   // of another rv: kept as it was read
  finished,  // the application has done all its work
  time_limit,
  crashed,
  preempted,
  lost,  // it could not write its end: its node was lost, or it was killed
  requeued,
  cancelled,
  terminated,  // asked to end, for a reason that Slurm did not report
};

struct ReasonRow {
  SegmentReason reason;
  std::string_view name;
};

/// All of them, each once; `unknown` is not among them.
std::span<const ReasonRow> reason_rows();

/// The name in the file; empty for `unknown`.
std::string_view to_string(SegmentReason reason);
template <>
SegmentReason from_name<SegmentReason>(std::string_view name);

struct SegmentEnd {
  std::optional<int> code;  // nothing: it left none (its node was lost)
  TimePoint time;
  StoredName<SegmentReason> reason;
  bool progress = false;  // it saved something
};

/// For people: "time_limit", "crashed (exit code 3), nothing saved". A command that has finished need not save.
std::string in_words(const SegmentEnd& end);

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
