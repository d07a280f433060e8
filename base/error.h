// The one way a command ends early.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace rv {

/// Exit codes of rv itself. A followed command's own code is passed through instead (see docs/exit-codes.md), so
/// rv's codes after start-up lie where commands rarely are.
enum class ExitCode : int {
  ok = 0,
  usage = 2,
  connection = 119,    // no way to the login node, or it was lost on the way
  no_strategy = 120,   // nothing on this cluster fits the request
  slurm = 121,         // Slurm did not answer, or refused every submission
  no_such_run = 122,   // unknown or ambiguous run
  no_exit_code = 123,  // the run ended without the command's own exit code (time limit, cancelled, node failure, …)
  timed_out = 124,     // rv exec --timeout
  failed = 125,        // anything else that stopped rv
  interrupted = 130,   // Ctrl-C
};

/// What went wrong (naming the input) and the way out. Thrown anywhere, caught once in main.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, std::string advice, ExitCode code = ExitCode::failed)
      : std::runtime_error(message), advice_(std::move(advice)), code_(code) {}

  const std::string& advice() const { return advice_; }
  ExitCode code() const { return code_; }

 private:
  std::string advice_;
  ExitCode code_;
};

}  // namespace rv
