// Everything a run folder says, read at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run_folder.h"
#include "monitor/run_state.h"
#include "monitor/segments.h"

namespace rv::monitor {

/// How a run ended, once certain (outcome.json).
struct Outcome {
  RunState state = RunState::lost;
  std::optional<int> exit_code;  // the command's own
  std::string detail;            // in words
  TimePoint time;
};

struct RunFacts {
  RunRecord record;
  std::vector<Event> events;
  std::optional<Claim> claim;
  std::optional<ExitRecord> exit;
  std::optional<Outcome> outcome;
  std::vector<Segment> segments;  // of a chain
  bool being_submitted = false;   // another process holds the submit lock
};

/// `known`: the run's record from an earlier look. run.json is written once, so it need not be read again.
RunFacts read_facts(const RunFolder& folder, const RunRecord* known = nullptr);
bool has_event(const RunFacts& facts, std::string_view name);
void write_outcome(const RunFolder& folder, const Outcome& outcome);

}  // namespace rv::monitor
