// File sizes that another machine has changed.
#pragma once

#include <optional>
#include <string>

namespace rv::monitor {

/// The size of an open file in bytes, asked of the file system's server. On FUSE the kernel may otherwise keep the size
/// of an earlier fstat, and reads end there; this call corrects both. Nothing on an error.
std::optional<long long> fresh_size(int fd);

/// The same for `name` in the open folder.
std::optional<long long> fresh_size(int folder, const std::string& name);

}  // namespace rv::monitor
