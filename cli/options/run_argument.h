// The argument that names a run, which may be left out but not empty.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/resolve_run.h"

namespace CLI {
class App;
}

namespace rv::cli {

/// Nothing: the user named no run. An empty text counts as an argument, for example from an unset variable in "$ID".
using RunArgument = std::shared_ptr<std::optional<std::string>>;

/// Adds the positional "run".
RunArgument add_run_argument(CLI::App& command, const std::string& description);

/// The arguments of a command that accepts several runs; empty: the newest run.
using RunArguments = std::shared_ptr<std::vector<std::string>>;

/// Adds the positional "run" for any number of runs.
RunArguments add_run_arguments(CLI::App& command, const std::string& description);

/// The named runs in this order, each once; the newest where none is named.
std::vector<monitor::KnownRun> named_or_latest(const std::vector<monitor::ListedRun>& runs, const RunArguments& words);

/// The named run (see resolve_run), or the newest if none is named.
monitor::KnownRun named_or_latest(const std::vector<monitor::ListedRun>& runs, const std::optional<std::string>& word);

}  // namespace rv::cli
