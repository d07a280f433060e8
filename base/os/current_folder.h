// Where rv was called.
#pragma once

#include <string>

namespace rv::os {

/// Absolute. Throws Error(usage) when the folder has been removed under the caller.
std::string current_folder();

}  // namespace rv::os
