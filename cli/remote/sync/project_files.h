// Which files of a project travel.
#pragma once

#include <string>

#include "cli/remote/sync/file_state.h"

namespace rv::sync {

/// Files and symbolic links below `root`. In a git work tree those that git tracks and those that it does not ignore;
/// elsewhere all. Either way without what .rvignore at the root (in .gitignore's syntax) leaves out, without git's own
/// files, and without files that rv pull has copied. Throws Error where git is needed and does not answer.
FileStates project_files(const std::string& root);

/// Those of `paths` that project_files() would leave out if they were there.
std::vector<std::string> left_out(const std::string& root, const std::vector<std::string>& paths);

}  // namespace rv::sync
