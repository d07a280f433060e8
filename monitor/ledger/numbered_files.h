// Files named 1, 2, 3, … in a folder on the shared file system. Each is made whole by link(2), which only one writer
// can do for a number, and never changes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rv::monitor {

/// Lists the folder and returns the texts of the files after the first `known` ones, in order, up to the first number
/// that is missing. They are named `prefix` and their number. It opens only names that the listing shows: some file
/// systems remember for a minute that a name did not exist, so asking for the next name would hide it. A folder that
/// does not exist has no files. Throws Error if a file can't be read.
std::vector<std::string> texts_after(const std::string& folder, const std::string& prefix, std::size_t known);

/// Makes file number `known` + 1 with `text`, and returns the texts after the first `known` ones: the first is `text`,
/// or that of another writer who was faster. `token` is unique and a part of `text`. Throws Error when the folder can't
/// be written.
std::vector<std::string> append_text(const std::string& folder, const std::string& prefix, std::size_t known,
                                     const std::string& token, const std::string& text);

}  // namespace rv::monitor
