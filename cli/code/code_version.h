// Which code a run started with: the commit, and what had changed since.
#pragma once

#include <optional>
#include <string>

namespace rv::cli {

struct CodeVersion {
  std::string root;        // of the project, absolute
  std::string commit;      // full hash; empty: the project has no commit yet
  std::string branch;      // empty: none is checked out
  int changed = 0;         // tracked files that differ from the commit
  int untracked = 0;       // files that git neither tracks nor ignores
  std::string diff = {};   // of the tracked files against the commit, at most 1 MiB
  bool whole_diff = true;  // false: `diff` is missing or cut off
};

enum class Diff { read, left_out };

/// The version of the project around `folder` (absolute). Returns nothing outside of a git work tree, or if git does
/// not answer within seconds. What the project's configuration could make git execute is switched off
/// (cli/remote/sync/guarded_git.h); filters too, so that a file of git-lfs counts as changed once it is written to.
std::optional<CodeVersion> read_code_version(const std::string& folder, Diff diff);

/// The version without the diff, as JSON on one line. parse_record() returns nothing for text of another
/// version of rv.
std::string to_record(const CodeVersion& version);
std::optional<CodeVersion> parse_record(const std::string& text);

/// Writes `<prefix>code.json`, and `<prefix>code.diff` if there is one. Never throws: on a full
/// disk the record is missing.
void write_code_version(const std::string& prefix, const CodeVersion& version);

/// What write_code_version() has written, without the diff. Nothing where it has written nothing.
std::optional<CodeVersion> written_code_version(const std::string& prefix);

/// Nothing where no diff was written.
std::optional<std::string> written_diff(const std::string& prefix);

/// "3f2a1c9b04d1 on main, 2 files changed, 1 not tracked".
std::string in_words(const CodeVersion& version);

}  // namespace rv::cli
