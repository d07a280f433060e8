// The folder in which rv was called.
#pragma once

#include <string>

namespace rv::os {

/// Returns the absolute path. Throws Error(usage) if the folder has been removed.
std::string current_folder();

}  // namespace rv::os
