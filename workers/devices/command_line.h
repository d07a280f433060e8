// What a worker says of a command line that it can't take.
#pragma once

#include <CLI/CLI.hpp>

namespace rv::workers {

/// Prints --help or --version where that was asked; else two lines on stderr: what is wrong, and the way out. The exit
/// code: 0, or 2.
int refused(const CLI::App& app, const CLI::ParseError& error);

}  // namespace rv::workers
