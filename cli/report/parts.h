// The parts of a run's page, as HTML. A part without content is empty.
#pragma once

#include <string>

#include "cli/report/run_story.h"

namespace rv::cli {

/// Predicted against real: of the candidate that started, and of those that waited in vain.
std::string waits_html(const RunStory& story);
/// The segments of a checkpointed run.
std::string segments_html(const RunStory& story);
/// The elements of an array: a map of all, and the names of those that failed.
std::string elements_html(const RunStory& story);
/// The resources that each job had and used.
std::string use_html(const RunStory& story);
/// Over the time of the run.
std::string gpus_html(const RunStory& story);
/// Results of rv-train in the run's output: loss, throughput, power and clocks.
std::string training_html(const RunStory& story);
/// The journal.
std::string events_html(const RunStory& story);
/// The ends of what it wrote.
std::string logs_html(const RunStory& story);

}  // namespace rv::cli
