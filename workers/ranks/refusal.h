#pragma once

#include <functional>
#include <optional>
#include <string>

#include "workers/ranks/peer.h"

namespace rv::workers {

/// The reason why a run does not begin: an error and a hint, and the exit code of all its processes.
struct Refusal {
  std::string message, advice;
  int code = 0;
};

/// Returns the refusal of the first rank that has one, with the name of that rank; the same on all ranks. All ranks
/// must call it.
std::optional<Refusal> agreed_refusal(Peer& peer, const std::optional<Refusal>& own);

/// Prints the two lines on stderr: "PROGRAM: error: …" and "hint: …".
void say_refusal(const char* program, const Refusal& refusal);

/// Prints the refusal, and reports `measurement` as an error with that reason. Call it on one rank.
void report_refusal(Peer& peer, const char* program, const Refusal& refusal, Measurement measurement);

/// Runs `work`. If memory runs out there, although the prediction said that everything fits, the refusal is printed
/// with this advice and the run ends with `does_not_fit`. Rethrows the exception.
void refuse_late(Peer& peer, const char* program, const char* advice, const std::function<void()>& work);

}  // namespace rv::workers
