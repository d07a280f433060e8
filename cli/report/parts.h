// The parts of a run's page, as HTML. Each is empty where there is nothing to tell.
#pragma once

#include <string>

#include "cli/report/run_story.h"

namespace rv::cli {

/// Predicted against real: of the candidate that started, and of those that waited in vain.
std::string waits_html(const RunStory& story);
/// Of a checkpointed run.
std::string segments_html(const RunStory& story);
/// Of an array: those that failed by name, all at a glance.
std::string elements_html(const RunStory& story);
/// What each of its jobs used of what it had.
std::string use_html(const RunStory& story);
/// Over the time of the run.
std::string gpus_html(const RunStory& story);
/// Of an rv-train that left its results in the run's output: loss, throughput, power and clocks.
std::string training_html(const RunStory& story);
/// The journal.
std::string events_html(const RunStory& story);
/// The ends of what it wrote.
std::string logs_html(const RunStory& story);

}  // namespace rv::cli
