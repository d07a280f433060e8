// Fresh listings of folders.
#pragma once

#include <string>
#include <vector>

namespace rv::os {

/// Returns the sorted names in a folder, without "." and ".."; none if it does not exist. The listing is fresh also on
/// network file systems, which may cache for a minute that a name does not exist: look for a file here before opening
/// it in a poll. Throws Error if the folder exists and can't be read.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace rv::os
