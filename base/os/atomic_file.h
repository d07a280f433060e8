// Writes small files atomically: a reader sees the old file or the whole new one.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace rv::os {

/// Writes and fsyncs a temporary file beside `path`, then renames it. The temporary name is unique, also among machines
/// that write the same file. Throws Error with the path and the system's reason; `path` is then unchanged.
void write_file(const std::string& path, std::string_view content, mode_t mode = 0600);

/// Like write_file(), but the mode is exactly `mode`, regardless of the umask, from the moment of the rename.
void publish_file(const std::string& path, std::string_view content, mode_t mode);

/// Like write_file() for data that can be recreated: mode 0600, without fsync, so a crash of the machine may leave an
/// empty file. Returns false, with errno, if it can't be written.
bool replace_file(const std::string& path, std::string_view content);

/// Creates a file that must not exist (O_EXCL). Not atomic: it is written under its final name, so a reader may see,
/// and a crash may leave, a part of it. Throws Error, also if the name exists.
void write_new_file(const std::string& path, std::string_view content);

/// Fsyncs a folder, for names that link(2) has just created. Errors are ignored: some file systems can't do it.
void store_names(const std::string& folder);

/// Whether `name` is a temporary name of write_file(). Such a file remains if rv is killed while it writes.
bool is_unfinished_file(std::string_view name);

/// Returns the whole file; nothing if it does not exist, or for a file in /proc whose process has ended. Throws Error
/// if it can't be read for any other reason.
std::optional<std::string> read_file(const std::string& path);

/// Creates a folder and its parents with mode 0700. Existing folders are unchanged. Throws Error.
void make_folder(const std::string& path);

}  // namespace rv::os
