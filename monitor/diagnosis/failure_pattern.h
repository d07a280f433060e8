// What programs, drivers and Slurm write when they fail → the cause. The words are data, one table.
#pragma once

#include <optional>
#include <string_view>

#include "monitor/diagnosis/cause.h"

namespace rv::monitor {

struct PatternMatch {
  Cause cause = Cause::unknown;
  /// How near to the root of the trouble: the smaller, the nearer. A full disk makes ranks fail and failed ranks make
  /// NCCL time out, never the other way round; words that also stand in harmless warnings come last.
  int rank = 0;
  bool weak = false;  // such a warning may be: it needs something else to speak for it
};

/// The cause that this one line of output tells, or nothing.
std::optional<PatternMatch> cause_in(std::string_view line);

/// True when the text holds the parts of `pattern`, which "*" separates, in this order. No case is folded.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace rv::monitor
