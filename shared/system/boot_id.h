#pragma once

#include <string>

namespace rv::os {

/// The same for all processes that one kernel runs, in containers too, and another after each start; empty: not known.
std::string boot_id();

}  // namespace rv::os
