// git in a project that another user may have configured: nothing in its .git is executed.
#pragma once

#include <string>
#include <vector>

#include "base/os/process.h"

namespace rv::sync {

/// The git commands that rv runs. None of them applies filters, textconv, merge drivers or aliases.
enum class GitQuestion {
  files,         // git ls-files
  ignored,       // git check-ignore
  new_worktree,  // git init, in a folder of rv's own
  settings,      // git config
  status,        // git status
  changes,       // git diff
};

/// Whose patterns count besides those of the work tree.
enum class Excludes {
  users,  // core.excludesFile
  none,
};

/// Runs git in `folder`. What the project's configuration could make git execute is switched off: fsmonitor, hooks, the
/// pager, filters, fetches of missing objects over any protocol. git's own refusal of other owners' folders
/// (safe.directory) holds. `arguments` follow the subcommand. git does not write to the project. For what only informs
/// people, the deadline is short.
os::Result ask_git(const std::string& folder, GitQuestion question, const std::vector<std::string>& arguments,
                   std::string input = "", Excludes excludes = Excludes::users);

/// git refused the folder because another user owns it.
bool refused_owner(const os::Result& result);

}  // namespace rv::sync
