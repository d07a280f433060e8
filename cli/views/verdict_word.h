// A verdict as people read it.
#pragma once

#include <string>

#include "shared/verdict.h"

namespace rv::cli {

/// Its word, in a tone where `colour` is wanted: passed is good, skipped is waited for, all else is bad.
std::string verdict_word(Verdict verdict, bool colour);

}  // namespace rv::cli
