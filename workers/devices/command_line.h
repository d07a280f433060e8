// A worker from its command line to its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace rv::workers {

/// Adds --device: auto, cpu or cuda.
void describe_device(CLI::App& app, std::string& device);

/// Handles a ParseError: prints --help or --version if it was requested (exit code 0), else the error and a hint, two
/// lines on stderr (exit code 2). Returns the exit code.
int refused(const CLI::App& app, const CLI::ParseError& error);

/// Parses the arguments, calls `complete` (if not null) to complete the options, and returns the exit code of `run`. A
/// CLI::ParseError of the first two goes to refused(). std::invalid_argument means wrong usage, exit code 2; any other
/// exception is printed, exit code 3.
int run_program(CLI::App& app, int argc, const char* const* argv, const std::function<void()>& complete,
                const std::function<int()>& run);

}  // namespace rv::workers
