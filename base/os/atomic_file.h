// Small files that are whole or absent, never half.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace rv::os {

/// Writes to a temporary name beside `path`, sees to it that the content is stored, then renames. The name is this
/// writer's alone, on whatever machine others write the same file. Throws Error naming the path and the system's
/// reason; `path` is then as it was.
void write_file(const std::string& path, std::string_view content, mode_t mode = 0600);

/// The same with exactly this mode, whatever the umask: the file never has another one under its name.
void publish_file(const std::string& path, std::string_view content, mode_t mode);

/// The same for what can be had again (mode 0600): nobody waits until it is stored, so that a machine's crash may leave
/// an empty file. False, with errno, when it could not be written.
bool replace_file(const std::string& path, std::string_view content);

/// The same, but only where nothing of that name is there yet; under its own name from the start.
void write_new_file(const std::string& path, std::string_view content);

/// Sees to it that the names in a folder are stored: those that link(2) has just made. As far as the file system can.
void store_names(const std::string& folder);

/// A name as write_file gives to what it has not finished: rv was killed there.
bool is_unfinished_file(std::string_view name);

/// The whole file, or nothing when it does not exist, or is of a process that has ended. Throws Error for any other
/// trouble: unreadable is not absent.
std::optional<std::string> read_file(const std::string& path);

/// mkdir with mode 0700, parents too; existing folders are left as they are. Throws Error.
void make_folder(const std::string& path);

}  // namespace rv::os
