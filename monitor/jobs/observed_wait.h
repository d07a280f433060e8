// The track record: predicted and real waits of the user's own runs, kept permanently in rv's home.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/jobs/prediction_accuracy.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// The predicted and the real wait of the candidate that won a run's race.
struct ObservedWait {
  std::string run;
  TimePoint submitted;
  std::chrono::seconds real{0};  // from the candidate's submission to its start
  Prediction predicted;
  std::string basis;
  std::string gpu_type;
  int gpus = 0;
  std::string partition;
};

/// Returns the wait of the run; nothing if no candidate has started.
std::optional<ObservedWait> observed_wait(const RunFacts& facts);

/// The path of `waits.jsonl` in rv's home, beside the folder of runs.
std::string waits_file(const std::string& home);
std::string waits_file(const RunFolder& folder);

/// Whether the run's wait has been appended to the file.
bool is_start_noted(const RunFacts& facts);
/// Appends the run's wait to the file, once: an event in the journal marks it as done. Best effort: on a full disk only
/// this line of statistics is lost.
void note_start(const RunFolder& folder, const RunFacts& facts);

/// Reads one JSON object per line, the newest 10,000. Incomplete and unknown lines are skipped. If a run has several
/// lines (two rv may see the start at the same moment), the first counts.
std::vector<ObservedWait> parse_observed_waits(std::string_view lines);
std::string to_line(const ObservedWait& observed);

/// How accurate the predictions were; runs whose wait was unknown count in `jobs` only.
Accuracy accuracy(const std::vector<ObservedWait>& observed);

}  // namespace rv::monitor
