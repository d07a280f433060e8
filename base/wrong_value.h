// The error for the value of an option that is not what the option takes: every command words it alike.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace rv {

/// `--gpu "x": expected a whole number from 1 to 100000`, exit code 2. `text` is the value as it was typed, of which
/// control characters are replaced. `expected` continues the sentence; `advice` is the hint.
Error wrong_value(std::string_view option, std::string_view text, std::string_view expected, std::string advice);

}  // namespace rv
