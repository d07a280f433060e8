// The journal of a run: its events, one per line. Lines are only added, never changed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/journal_events.h"
#include "slurm/parse/job_records.h"

namespace rv::monitor {

using slurm::JobId;
using slurm::TimePoint;

/// One line of events.jsonl (written by clients) or of a file below jobs/ (written by the jobs). The journal tells
/// people what happened; the ledger (ledger.h) holds what was decided. No code draws a conclusion from the absence or
/// the time of an event. journal_events.h lists the events and their writers.
struct Event {
  TimePoint time;
  EventName name;
  int candidate = 0;  // 0: the run as a whole
  std::optional<JobId> job;
  int attempt = 1;                                 // number of the attempt, from 1
  nlohmann::json more = nlohmann::json::object();  // the other keys
};

/// Reads one event from each line. A line that is not a JSON object of this form is skipped: a full disk may cut one.
std::vector<Event> parse_events(std::string_view lines);

/// Returns the event as a line of the journal, with its newline. The order of the keys is fixed: the gate searches the
/// file with grep.
std::string to_line(const Event& event);

/// Returns the events of one attempt and those of the whole run (created, retry, stop_requested).
std::vector<Event> of_attempt(std::vector<Event> events, int attempt);

/// What the journal says about one candidate.
struct CandidateJournal {
  int number = 0;
  bool intent = false;
  TimePoint intent_time;
  std::optional<JobId> job;                // its last job that has not yielded; the last job if all have
  std::vector<JobId> jobs;                 // all its jobs: after an sbatch without an answer it can have two
  std::string refusal;                     // Slurm's message; empty: not refused
  std::vector<std::string> refusal_lines;  // all lines that sbatch printed, if there are more than `refusal`
  int unanswered = 0;                      // number of the latest sbatch calls, in a row, that had no answer
  std::string no_answer;                   // the message of the last such call
  bool yielded = false;                    // `job` started after another job had won
};

/// Returns one value for each candidate, 1 to `count`.
std::vector<CandidateJournal> candidate_journals(const std::vector<Event>& events, int count);

}  // namespace rv::monitor
