// The events of a run's journal: the one list of their words.
#pragma once

#include <span>
#include <string_view>

#include "monitor/run/file_word.h"

namespace rv::monitor {

enum class EventKind {
  unknown,  // of another rv: kept as it was read
  // of clients
  created,
  intent,  // before sbatch
  submitted,
  found,  // an earlier sbatch turned out accepted
  refused,
  no_answer,  // sbatch without a clear answer
  cancelled,
  stop_requested,
  unrecorded_end,  // the job is over and left no exit record
  untraced,        // neither the controller nor accounting has the job
  submit_failed,
  wait_noted,
  retry,  // the run races again: broken hardware ended the attempt, or the controller forgot its jobs
  // of jobs
  claimed,
  yielded,
  ready,
  started,
  wrong_gpu,
  missing_gpu,
  refused_restart,
  ended,
  notified,
  notify_failed,
  predecessor,  // the run that this one follows did not end well
  stood_back,   // the job may not begin: the run is over or stopped, or its segment is another job's
  segment_ended,
  next,  // its next_job_id is the job of the following segment, or of an array that went back into the queue
  next_refused,
};

enum class EventWriter { client, job };

struct EventWord {
  EventKind kind;
  std::string_view word;
  EventWriter writer;
};

/// All of them, each once; `unknown` is not among them.
std::span<const EventWord> event_words();

/// The word in the file; empty for `unknown`.
std::string_view to_string(EventKind kind);
template <>
EventKind from_word<EventKind>(std::string_view word);

using EventName = FileWord<EventKind>;

}  // namespace rv::monitor
