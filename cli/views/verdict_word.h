// A verdict as people read it.
#pragma once

#include <string>

#include "shared/verdict.h"

namespace rv::cli {

/// The word of a verdict, coloured if `colour`: good for passed, waiting for skipped, bad for all others.
std::string verdict_word(Verdict verdict, bool colour);

}  // namespace rv::cli
