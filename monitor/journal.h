// What happened to a run, as lines that are only ever added.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "slurm/job_evidence.h"

namespace rv::monitor {

using slurm::JobId;
using slurm::TimePoint;

/// One line of events.jsonl (clients) or jobs/<job>.jsonl (the job itself).
///
/// Clients write: created, intent (before sbatch), submitted, found (an earlier sbatch turned out accepted), refused,
/// no_answer (sbatch without a clear answer), cancelled, stop_requested, unrecorded_end (the job is over and left no
/// exit record). Jobs write: claimed, yielded, ready, started, wrong_gpu, missing_gpu, refused_restart, ended; those of
/// a chain also segment_ended, next (its next_job_id is the following segment's job), next_refused, stood_back (it may
/// not begin a segment).
struct Event {
  TimePoint time;
  std::string name;
  int candidate = 0;  // 0: the run as a whole
  std::optional<JobId> job;
  nlohmann::json more = nlohmann::json::object();  // the other keys
};

/// One JSON line per event; a torn or foreign line is passed over (a full disk may leave one).
std::vector<Event> parse_events(std::string_view lines);

/// The line, newline included. The key order is fixed: the start gate reads it with grep.
std::string to_line(const Event& event);

/// Where one candidate stands according to the journal alone.
struct CandidateJournal {
  int number = 0;
  bool intent = false;
  TimePoint intent_time;
  std::optional<JobId> job;  // submitted or found
  std::string refusal;       // Slurm's words; empty: not refused
  bool yielded = false;      // it started after another had won
};

/// One entry per candidate 1..count.
std::vector<CandidateJournal> candidate_journals(const std::vector<Event>& events, int count);

}  // namespace rv::monitor
