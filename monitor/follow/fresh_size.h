// The sizes of files that another machine writes.
#pragma once

#include <optional>
#include <string>

namespace rv::monitor {

/// Queries the file system's server for the size of an open file in bytes. On FUSE the kernel may otherwise keep the
/// size of an earlier fstat, and reads end there; this call corrects both. Nothing on an error.
std::optional<long long> fresh_size(int fd);

/// Queries the size of `name` in the open folder.
std::optional<long long> fresh_size(int folder, const std::string& name);

}  // namespace rv::monitor
