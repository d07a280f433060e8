// Everything a run folder says, read at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run_folder.h"
#include "monitor/run_state.h"

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
  bool being_submitted = false;  // another process holds the submit lock
};

RunFacts read_facts(const RunFolder& folder);
void write_outcome(const RunFolder& folder, const Outcome& outcome);

}  // namespace rv::monitor
