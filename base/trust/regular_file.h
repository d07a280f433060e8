// Reading files that somebody else may have made: a device, a pipe or a file without end must not stop rv.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace rv::trust {

/// The most that a file of settings, requirements or patterns may hold: 4 MiB.
inline constexpr std::size_t largest_text = std::size_t{4} << 20;

/// The content of a regular file of at most `most` bytes; links are followed, and nothing waits for the other end of a
/// pipe. Returns nothing if there is no such file. Throws Error(usage) for anything but a regular file, a larger file,
/// and a file that can't be read.
std::optional<std::string> read_regular_file(const std::string& path, std::size_t most = largest_text);

/// The first `most` bytes of a regular file, such as a log of any length. Returns nothing where there is none that can
/// be read.
std::optional<std::string> read_beginning(const std::string& path, std::size_t most);

/// The same as read_regular_file() for a file of the user's project. Throws Error(usage) too if another user owns the
/// file or the link to it, or can write to it (base/trust/outside_access.h), unless it lies below RV_TRUSTED_FOLDERS.
std::optional<std::string> read_project_file(const std::string& path, std::size_t most = largest_text);

}  // namespace rv::trust
