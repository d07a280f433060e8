// The error for an option's value, in the same form for every command.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace rv {

/// Returns `--gpu "x": expected a whole number from 1 to 100000`, exit code 2. `text` is the value as typed; its
/// control characters are replaced. `expected` continues the sentence; `advice` is the hint.
Error wrong_value(std::string_view option, std::string_view text, std::string_view expected, std::string advice);

}  // namespace rv
