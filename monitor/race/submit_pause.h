// How long rv waits before it calls sbatch again, after calls without an answer.
#pragma once

#include <chrono>
#include <vector>

#include "monitor/run/journal.h"

namespace rv::monitor {

/// After this many calls in a row: 2 s, doubling, a minute at most; nothing after none. Each call takes a lock of an
/// overloaded controller, and may have been carried out in spite of its time-out.
std::chrono::seconds pause_after(int calls_without_answer);

/// When the next call may be made, going by the journal; a long time ago where the last call had an answer. The clock
/// of another machine may have written the journal: never later than a whole pause from `now`.
TimePoint next_submission(const std::vector<Event>& events, TimePoint now);

}  // namespace rv::monitor
