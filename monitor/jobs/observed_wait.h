// Predicted against real waits of the user's own runs, kept for good in the folder of rv's records.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/jobs/prediction_accuracy.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// The candidate that started a run: what was said of it when it was planned, and what came.
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

/// Nothing while no candidate has started, and for a run that was stopped before.
std::optional<ObservedWait> observed_wait(const RunFacts& facts);

/// `waits.jsonl` in rv's home, beside the folder of runs.
std::string waits_file(const std::string& home);
std::string waits_file(const RunFolder& folder);

/// It has been appended to the file.
bool is_start_noted(const RunFacts& facts);
/// Appends the run's wait to the file, once: a run that has started leaves an event about it. Best effort: a full disk
/// costs a line of statistics and no more.
void note_start(const RunFolder& folder, const RunFacts& facts);

/// One JSON object a line, the newest 10,000; torn or foreign lines are passed over, and of several lines about a run
/// (two rv may see the start in the same instant) the first counts.
std::vector<ObservedWait> parse_observed_waits(std::string_view lines);
std::string to_line(const ObservedWait& observed);

/// How right the predictions were; runs whose wait was unknown count in `jobs` only.
Accuracy accuracy(const std::vector<ObservedWait>& observed);

}  // namespace rv::monitor
