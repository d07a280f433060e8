// rsync's way to the login node: rv itself stands where rsync would call ssh.
//
// So rsync uses the existing connection, under any login shell and with any output of it, and finds an rv at the other
// end that makes its folder ready. The two rv exchange marks (cli/remote/hop/marks.h) on stderr,
// which rsync passes through.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/remote/sync/rsync.h"

namespace rv::sync {

struct RsyncShellArguments {
  std::string token;
  std::string host;
  std::string home;  // rv's on the login node, - for the default there
  RsyncTarget place = RsyncTarget::look;
  std::string name;
};

/// For rsync's -e: this very program with "--rsh" and these words.
std::string rsync_shell(const RsyncShellArguments& words);

/// "rv --rsh …", as rsync calls it: its command runs on the login node. Returns the exit code.
int run_rsync_shell(const std::vector<std::string>& words);

/// The mark for an Error, and back.
std::string failure_words(const Error& error);
std::optional<Error> parse_failure(std::string_view words);

std::string target_name(RsyncTarget place);
/// Throws Error for a word that target_name() can't have written.
RsyncTarget target_of(std::string_view word);

/// A mark on stderr.
void say_on_stderr(const std::string& token, const std::string& words);

}  // namespace rv::sync
