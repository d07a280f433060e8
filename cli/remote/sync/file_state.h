// A project's files as they are on the laptop, and as they were when they were pushed last.
#pragma once

#include <sys/stat.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::sync {

struct FileState {
  unsigned mode = 0;       // st_mode: kind and permissions
  long long size = 0;      // bytes
  long long mtime_ns = 0;  // since 1970; -1: on its way when a push was cut off

  bool operator==(const FileState&) const = default;
};

/// By path relative to the project's root; any byte but NUL may stand in one.
using FileStates = std::map<std::string, FileState>;

FileState state_of(const struct stat& status);
/// Nothing for a path that does not exist or is neither a file nor a symbolic link.
std::optional<FileState> state_of(const std::string& path);

/// The text of the list of pushed files, and back. Text that format() can't have written gives nothing: then it is
/// unknown what was pushed.
std::string format(const FileStates& states);
std::optional<FileStates> parse_states(std::string_view text);

/// Paths that were pushed and are no longer there, but for those that have become a folder of files.
std::vector<std::string> gone(const FileStates& pushed, const FileStates& now);

/// Changed files that rsync must be made to copy again. It takes a file for unchanged if the size and the whole second
/// of the last change are the same (rsync(1), "quick check"), and it changes permissions in place, and with them those
/// of a snapshot's hard links. A file that was on its way when a push was cut off may be there in either state.
std::vector<std::string> hidden_from_rsync(const FileStates& pushed, const FileStates& now);

/// The list to write before a push: all files that will have been pushed when it ends, and the earlier ones. New and
/// changed files have no time: if the push is interrupted, the state of the cluster is unknown.
FileStates in_flight(const std::optional<FileStates>& pushed, const FileStates& now);

}  // namespace rv::sync
