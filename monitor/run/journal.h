// What happened to a run, as lines that are only ever added.
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

/// One line of events.jsonl (clients) or of a file below jobs/ (the jobs). The journal is a run's story, for people;
/// what has been decided is in the ledger (ledger.h), and nothing is concluded from an event's absence or its time.
/// Which there are, and who writes them: journal_events.h.
struct Event {
  TimePoint time;
  EventName name;
  int candidate = 0;  // 0: the run as a whole
  std::optional<JobId> job;
  int attempt = 1;                                 // how often the run had been started again on other nodes, plus one
  nlohmann::json more = nlohmann::json::object();  // the other keys
};

/// One JSON line per event; a torn or foreign line is passed over (a full disk may leave one).
std::vector<Event> parse_events(std::string_view lines);

/// The line, newline included. The key order is fixed: the start gate reads it with grep.
std::string to_line(const Event& event);

/// Those of one attempt, and those that concern the run as a whole (created, retry, stop_requested).
std::vector<Event> of_attempt(std::vector<Event> events, int attempt);

/// Where one candidate stands according to the journal alone.
struct CandidateJournal {
  int number = 0;
  bool intent = false;
  TimePoint intent_time;
  std::optional<JobId> job;                // the last one on record that has not yielded, else the last one
  std::vector<JobId> jobs;                 // all of them: an sbatch without an answer can have been accepted twice
  std::string refusal;                     // Slurm's words; empty: not refused
  std::vector<std::string> refusal_lines;  // all that sbatch printed with it, where that is more
  int unanswered = 0;                      // calls of sbatch in a row that had no answer
  std::string no_answer;                   // what the last of these said
  bool yielded = false;                    // `job` started after another had won
};

/// One entry per candidate 1..count.
std::vector<CandidateJournal> candidate_journals(const std::vector<Event>& events, int count);

}  // namespace rv::monitor
