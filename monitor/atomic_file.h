// Small files that are whole or absent, never half.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv::monitor {

/// Writes to a temporary name beside `path` (mode 0600), then renames. Throws Error naming the path and the system's
/// reason.
void write_file(const std::string& path, std::string_view content);

/// Makes a file that is not there yet (mode 0600) and sees to it that its content has arrived: quota and network file
/// systems tell some errors only then. Removes what it made when that fails, and throws Error.
void write_new_file(const std::string& path, std::string_view content);

/// The whole file, or nothing when it does not exist. Throws Error for any other trouble: unreadable is not absent.
std::optional<std::string> read_file(const std::string& path);

/// mkdir with mode 0700, parents too; existing folders are left as they are. Throws Error.
void make_folder(const std::string& path);

}  // namespace rv::monitor
