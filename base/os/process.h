// Running a command to its end: argv, input and deadline in; output, streams apart, and how it ended out.
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
  bool ignores_broken_pipes = false;     // a write to a closed connection is an error to the child, not its death
};

struct Result {
  int exit_code = -1;      // the child's own code; 128 + signal when a signal ended it; 127 when it did not start
  bool timed_out = false;  // the deadline passed: the child's whole process group was killed
  std::string out;
  std::string err;  // for a child that did not start: why
  std::chrono::milliseconds wall{0};

  bool ok() const { return exit_code == 0 && !timed_out; }
};

/// Runs one command. Never throws for what the child does; throws Error only when this process can't make pipes.
Result run(const Command& command);

/// Runs all at once and returns when the last is done; results in the order of the commands.
std::vector<Result> run_all(std::span<const Command> commands);

}  // namespace rv::os
