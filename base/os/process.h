// Runs a command to its end with an input and a deadline, and returns its stdout, its stderr and its exit code.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace rv::os {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH; no shell is involved
  std::string input;              // fed to stdin, which is then closed
  std::chrono::milliseconds deadline{30'000};
  std::vector<std::string> environment;  // "NAME=value", the whole environment of the child
  std::string folder;                    // working folder; empty: the caller's
  bool ignores_broken_pipes = false;     // the child ignores SIGPIPE: a write to a closed connection returns EPIPE
};

struct Result {
  int exit_code = -1;      // the child's own; 128 + N after signal N; 127 if it did not start
  bool timed_out = false;  // the deadline passed: the child's whole process group was killed
  std::string out;
  std::string err;  // stderr; why the child did not start, if it did not
  std::chrono::milliseconds wall{0};

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Runs one command. Failures of the child are in the result. Throws Error only if this process can't create pipes.
Result run(const Command& command);

/// Runs all commands in parallel and returns their results, in the order of the commands, when all have ended.
std::vector<Result> run_all(std::span<const Command> commands);

}  // namespace rv::os
