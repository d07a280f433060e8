// Queries of git, which interprets .gitignore.
#pragma once

#include <string>
#include <vector>

namespace rv::sync {

/// Texts that end with a NUL each, as git's -z prints them.
std::vector<std::string> split_nul(std::string_view text);
std::string join_nul(const std::vector<std::string>& texts);

/// Tracked files, and untracked ones that are not ignored, relative to `folder`, which lies in a git work tree. A
/// submodule, and another work tree inside, are one entry each, the latter with a / at its end. Throws Error when there
/// is not git or git fails.
std::vector<std::string> git_files(const std::string& folder);

/// Those of `paths` (relative to `folder`) that git ignores there. None where `folder` is in no work tree. Throws
/// Error where git refuses the folder's owner.
std::vector<std::string> git_ignored(const std::string& folder, const std::vector<std::string>& paths);

/// Those of `paths` (relative) that `patterns`, a text in .gitignore's syntax, leaves out. The files need not exist.
std::vector<std::string> matched_by(const std::string& patterns, const std::vector<std::string>& paths);

}  // namespace rv::sync
