// The pause before rv calls sbatch again, after calls without an answer.
#pragma once

#include <chrono>
#include <vector>

#include "monitor/run/journal.h"

namespace rv::monitor {

/// Returns the pause after this many calls in a row without an answer: 0 for none, then 2 s, doubled for each further
/// call, a minute at most. Each call takes a lock of an overloaded controller, and may have been executed despite its
/// time-out.
std::chrono::seconds pause_after(int calls_without_answer);

/// Returns when the next call may be made, according to the journal; a time long ago if the last call had an answer.
/// Never later than one pause after `now`: the journal may have times of another machine's clock.
TimePoint next_submission(const std::vector<Event>& events, TimePoint now);

}  // namespace rv::monitor
