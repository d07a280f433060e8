// How long jobs had their GPUs for the command, from the ledgers.
#pragma once

#include <optional>
#include <vector>

#include "monitor/ledger/ledger_folder.h"

namespace rv::monitor {

/// One start of the command, or of one element of an array.
struct UsedSpan {
  int candidate = 0;
  TimePoint began;                 // of the first start of an attempt: the claim, before the set-up lines
  std::optional<TimePoint> ended;  // nothing: no record has its end, and no later start
};

/// Returns the spans of all attempts in the order of their starts. A start without an end that was followed by another
/// one counts as nothing: its node was lost at an unknown time. `elements` is empty outside arrays.
std::vector<UsedSpan> used_spans(const std::vector<Entry>& ledger, const ElementLedgers& elements);

}  // namespace rv::monitor
