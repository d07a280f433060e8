// The exception with which a command ends early.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace rv {

/// Exit codes of rv itself. The exit code of a followed command is passed on unchanged (docs/exit-codes.md), so rv uses
/// 119 to 125, which commands rarely return.
enum class ExitCode : int {
  ok = 0,
  usage = 2,
  connection = 119,    // the login node can't be reached, or the connection was lost
  no_strategy = 120,   // nothing on this cluster fits the request
  slurm = 121,         // Slurm did not answer, or refused every submission
  no_such_run = 122,   // unknown or ambiguous run
  no_exit_code = 123,  // the run ended without the command's own exit code (time limit, cancelled, node failure, …)
  timed_out = 124,     // rv exec --timeout
  failed = 125,        // anything else that stopped rv
  interrupted = 130,   // Ctrl-C
};

/// What went wrong, and advice. Thrown anywhere; main prints it, unless a caller can continue without the result.
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
