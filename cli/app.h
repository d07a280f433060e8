// The whole program but main().
#pragma once

#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/invocation.h"

namespace rv::cli {

/// The command tree. `invocation` and `action` must outlive it.
std::unique_ptr<CLI::App> make_app(Invocation& invocation, Action& action);

/// Parses, runs, reports. Returns the exit code (docs/exit-codes.md); throws nothing.
int run_rv(int argc, const char* const* argv);

}  // namespace rv::cli
