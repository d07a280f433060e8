// The events of a run's journal: the only list of their names.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "monitor/run/stored_name.h"

namespace rv::monitor {

enum class EventKind {
  // written by clients
  created,    // the run folder is complete
  intent,     // sbatch is about to be called for a candidate
  submitted,  // sbatch has returned the candidate's job ID
  found,      // an earlier sbatch turned out to have been accepted
  refused,
  no_answer,  // sbatch without a clear answer
  cancelled,
  stop_requested,
  unrecorded_end,    // the job is over and left no exit record
  unknown_to_slurm,  // neither the controller nor accounting has the job
  submit_failed,     // the submitting process ended with an error
  wait_noted,        // the prediction for this candidate and its actual wait, for rv plan --accuracy
  retry,             // a new attempt begins: after broken hardware, with --retries, or if Slurm lost the jobs
  // written by jobs
  claimed,          // the job has won the race
  yielded,          // the job has lost the race
  preflight,        // the job's nodes were tested before the start
  ready,            // the allocation of rv up can be used
  started,          // the command was started
  wrong_gpu,        // the node has another GPU type than Slurm says
  missing_gpu,      // the node shows fewer GPUs than requested
  refused_restart,  // Slurm started the job again, and the run does not allow that
  ended,            // the command has ended
  stalled,          // the command has made no progress for the time of --stall
  progress,         // it makes progress again
  notified,
  notify_failed,
  predecessor,  // the run that this one follows (--after) did not end well
  stood_back,   // the job did not start the command: the run is over or stopped, or another job has this segment
  segment_ended,
  next,  // the job next_job_id was submitted: the next segment, or the same job again, to wait for its predecessor
  next_refused,
  unknown,  // a name that another version of rv wrote; its text is kept
};

enum class EventWriter { client, job };

struct EventRow {
  EventKind kind;
  std::string_view name;
  EventWriter writer;
};

/// One row for each kind except `unknown`.
inline constexpr std::array event_rows{
    EventRow{EventKind::created, "created", EventWriter::client},
    EventRow{EventKind::intent, "intent", EventWriter::client},
    EventRow{EventKind::submitted, "submitted", EventWriter::client},
    EventRow{EventKind::found, "found", EventWriter::client},
    EventRow{EventKind::refused, "refused", EventWriter::client},
    EventRow{EventKind::no_answer, "no_answer", EventWriter::client},
    EventRow{EventKind::cancelled, "cancelled", EventWriter::client},
    EventRow{EventKind::stop_requested, "stop_requested", EventWriter::client},
    EventRow{EventKind::unrecorded_end, "unrecorded_end", EventWriter::client},
    EventRow{EventKind::unknown_to_slurm, "unknown_to_slurm", EventWriter::client},
    EventRow{EventKind::submit_failed, "submit_failed", EventWriter::client},
    EventRow{EventKind::wait_noted, "wait_noted", EventWriter::client},
    EventRow{EventKind::retry, "retry", EventWriter::client},
    EventRow{EventKind::claimed, "claimed", EventWriter::job},
    EventRow{EventKind::yielded, "yielded", EventWriter::job},
    EventRow{EventKind::preflight, "preflight", EventWriter::job},
    EventRow{EventKind::ready, "ready", EventWriter::job},
    EventRow{EventKind::started, "started", EventWriter::job},
    EventRow{EventKind::wrong_gpu, "wrong_gpu", EventWriter::job},
    EventRow{EventKind::missing_gpu, "missing_gpu", EventWriter::job},
    EventRow{EventKind::refused_restart, "refused_restart", EventWriter::job},
    EventRow{EventKind::ended, "ended", EventWriter::job},
    EventRow{EventKind::stalled, "stalled", EventWriter::job},
    EventRow{EventKind::progress, "progress", EventWriter::job},
    EventRow{EventKind::notified, "notified", EventWriter::job},
    EventRow{EventKind::notify_failed, "notify_failed", EventWriter::job},
    EventRow{EventKind::predecessor, "predecessor", EventWriter::job},
    EventRow{EventKind::stood_back, "stood_back", EventWriter::job},
    EventRow{EventKind::segment_ended, "segment_ended", EventWriter::job},
    EventRow{EventKind::next, "next", EventWriter::job},
    EventRow{EventKind::next_refused, "next_refused", EventWriter::job},
};
static_assert(event_rows.size() == static_cast<std::size_t>(EventKind::unknown), "each event has its row");

/// The name in the file; empty for `unknown`.
std::string_view to_string(EventKind kind);
template <>
EventKind from_name<EventKind>(std::string_view word);

using EventName = StoredName<EventKind>;

}  // namespace rv::monitor
