#pragma once

#include <string>

#include "tests/workers/gpu/network_reference.h"

namespace rv::workers {

/// Ranks that send each other gradients, each in its turn, with the others played. Theirs are nought, so that the
/// weights move by a share of what one rank alone moves them; or the same, so that they move by all of it; but for one
/// rounding of each. What each moves is all, and nothing twice. Prints a line for both and returns how many are off.
int check_exchange(const std::string& name, const Reference& of, GpuPrecision precision, int ranks);

}  // namespace rv::workers
