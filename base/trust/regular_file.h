// Reads files that other users may have created: a device, a pipe or an endless file must not stop rv.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace rv::trust {

/// The size limit for files of settings, requirements or patterns: 4 MiB.
inline constexpr std::size_t largest_text = std::size_t{4} << 20;

/// Returns the content of a regular file of at most `most` bytes; nothing if there is no such file. Links are followed,
/// and opening a pipe does not wait for its other end. Throws Error(usage) if the file is not regular, is larger, or
/// can't be read.
std::optional<std::string> read_regular_file(const std::string& path, std::size_t most = largest_text);

/// Returns the first `most` bytes of a regular file, such as a log of any length; nothing if it can't be read.
std::optional<std::string> read_beginning(const std::string& path, std::size_t most);

/// Like read_regular_file(), for a file of the user's project. Also throws Error(usage) if another user owns the file
/// or the link to it, or can write to it (base/trust/outside_access.h), unless it lies below RV_TRUSTED_FOLDERS.
std::optional<std::string> read_project_file(const std::string& path, std::size_t most = largest_text);

}  // namespace rv::trust
