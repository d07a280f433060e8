// The segments of a checkpointed run, from the records that its jobs wrote.
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
  unknown,   // a name that another version of rv wrote; its text is kept
  finished,  // the command has done all its work
  time_limit,
  crashed,
  preempted,
  lost,  // its end was not recorded: its node was lost, or the job was killed
  requeued,
  cancelled,
  terminated,  // asked to end, for a reason that Slurm did not report
};

struct ReasonRow {
  SegmentReason reason;
  std::string_view name;
};

/// Returns one row for each reason except `unknown`.
std::span<const ReasonRow> reason_rows();

/// The name in the file; empty for `unknown`.
std::string_view to_string(SegmentReason reason);
template <>
SegmentReason from_name<SegmentReason>(std::string_view name);

struct SegmentEnd {
  std::optional<int> code;  // exit code; nothing: not recorded (its node was lost)
  TimePoint time;
  StoredName<SegmentReason> reason;
  bool progress = false;  // the segment saved a checkpoint
};

/// Text for people: "time_limit", "crashed (exit code 3), nothing saved". A command that has finished need not save.
std::string in_words(const SegmentEnd& end);

/// One start of the command in a chain.
struct Segment {
  int number = 0;  // from 1
  JobId job;
  int restart = 0;  // number of times that Slurm had restarted that job
  TimePoint began;
  std::string nodes;              // as Slurm writes them
  std::optional<TimePoint> seen;  // last time that the job recorded it was alive, about every minute
  std::optional<SegmentEnd> end;
};

/// Returns the segments that have begun, by number. `starts`: the ledger's entries of the kind `start`. An end that
/// can't be parsed counts as missing.
std::vector<Segment> read_segments(const RunFolder& folder, const std::vector<Entry>& starts);

/// Returns the time that all segments have used. A segment without an end counts until `now` if `alive`, else until the
/// last time that its job recorded it was alive.
std::chrono::seconds time_used(const std::vector<Segment>& segments, TimePoint now, bool alive);

/// Reads the nodes that failed during the run, from chain/exclude: later segments don't use them.
std::vector<std::string> failed_nodes(const RunFolder& folder);

}  // namespace rv::monitor
