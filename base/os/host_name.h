// This machine's name, for records.
#pragma once

#include <string>

namespace rv::os {

/// Returns the result of gethostname(2), or "unknown".
std::string host_name();

}  // namespace rv::os
