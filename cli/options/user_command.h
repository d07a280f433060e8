// Finds where rv's arguments end and the user's command begins.
//
// The command line is split before the option parser sees it, because the parser would rewrite the user's arguments:
// CLI11 drops "--" and takes "[a,b]" apart (a test shows it). rv's options come before the command; from the first
// argument that is neither an option nor an option's value, or from behind "--", every argument is the user's, empty
// ones included. Two forms are exceptions: a shell line as one argument, followed only by rv's options, as in rv run
// "python x.py" -g 4 (no program is called so, and no options of rv's could be meant for it); and a script, followed by
// nothing but options of rv's with --time or --mig among them, as in rv run check.py --mig --time 10m.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace CLI {
class App;
}

namespace rv::cli {

/// Marks a subcommand that takes a user's command, shown as "CMD…" in its help. The arguments arrive in
/// Invocation::user_command; the option parser never sees them. `required`: calling it without arguments is an error.
void add_user_command(CLI::App& command, const std::string& description, bool required);

/// The same for a batch script and its arguments, shown as "[SCRIPT [ARG…]]".
void add_user_script(CLI::App& command, const std::string& description);

struct SplitCommandLine {
  std::vector<std::string> words;         // for the option parser, argv[0] left out
  std::vector<std::string> user_command;  // untouched
  bool as_typed = false;                  // they stood behind "--"
  const CLI::App* command = nullptr;      // the subcommand that was called, if one was
  bool json = false;                      // --json is among rv's arguments
  bool help = false;                      // so does -h or --help
  bool full_help = false;                 // so does --help
  bool version = false;                   // so does --version
  bool licences = false;                  // so does --licences
  std::vector<std::string> notes;         // one line each, for stderr
  std::optional<Error> fault;             // the first thing wrong: unknown command or option, missing value, …
};

/// A command name of Slurm or of another tool, and rv's nearest command.
struct NearestCommand {
  std::string_view word;
  std::string_view command;
};

/// `words` is argv without argv[0]. Which options take a value is read from the app's own tree. `nearest` is for what
/// is said of an unknown command; where the word isn't among it, a name that is spelled nearly so is said.
SplitCommandLine split_command(const CLI::App& app, std::span<const std::string> words,
                               std::span<const NearestCommand> nearest);

/// The arguments to execute for a user's command. Several are an argument vector. One word with shell syntax in it (a
/// blank is enough) is a line for `bash -c`, as with ssh, unless it is the path of a file that exists.
std::vector<std::string> command_argv(const std::vector<std::string>& user_command);

}  // namespace rv::cli
