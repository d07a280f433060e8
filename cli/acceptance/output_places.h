// Output paths of a command, checked before it begins.
#pragma once

#include <string>

namespace rv::cli {

/// Throws Error(usage) where the folder can't be made, or no file in it. Leaves nothing behind. An empty path: none is
/// wanted. `option`: what named it.
void check_output_folder(const std::string& option, const std::string& path);

/// The same for a file, whose folder must exist.
void check_output_file(const std::string& option, const std::string& path);

}  // namespace rv::cli
