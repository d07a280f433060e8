#pragma once

#include <functional>
#include <optional>
#include <string>

#include "workers/ranks/peer.h"

namespace rv::workers {

/// What ends a run before it begins, in two lines, with the exit code of all its processes.
struct Refusal {
  std::string message, advice;
  int code = 0;
};

/// The first rank's refusal is all ranks', which all must ask; it says whose it is.
std::optional<Refusal> agreed_refusal(Peer& peer, const std::optional<Refusal>& own);

/// The two lines on stderr: "PROGRAM: error: …" and "hint: …".
void say_refusal(const char* program, const Refusal& refusal);

/// Says it, and reports `measurement` as the error that it is: of one rank.
void report_refusal(Peer& peer, const char* program, const Refusal& refusal, Measurement measurement);

/// Memory that runs out in `work`, though all was predicted to fit, is said with this advice, and the run ends with
/// `does_not_fit`; the exception goes on.
void refuse_late(Peer& peer, const char* program, const char* advice, const std::function<void()>& work);

}  // namespace rv::workers
