// A worker from its command line to its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace rv::workers {

/// Prints --help or --version where that was asked; else two lines on stderr: what is wrong, and the way out. The exit
/// code: 0, or 2.
int refused(const CLI::App& app, const CLI::ParseError& error);

/// Parses the arguments, completes the options by `complete` (null: there is nothing to do), and returns what `run`
/// returns. A CLI::ParseError of the first two is refused(); std::invalid_argument is wrong usage, exit code 2, and any
/// other exception is printed and 3.
int run_program(CLI::App& app, int argc, const char* const* argv, const std::function<void()>& complete,
                const std::function<int()>& run);

}  // namespace rv::workers
