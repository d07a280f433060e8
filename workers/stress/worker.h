#pragma once

#include <cstddef>

#include "workers/devices/fault.h"

namespace rv::workers {

/// The exit code of rv-stress where memory does not suffice: of a worker whose matrices don't fit, and of the whole
/// where it is known before anything starts.

/// One worker's process. It is told by lines on stdin and answers by lines of JSON on stdout:
///   → {"say": "ready", "model": …}       the matrices are there
///   ← go SECONDS                          the loop begins
///   → {"say": "beat", "operations": N}    a sign of life, some twenty a second at most
///   → {"say": "done", "operations": N, "seconds": S, "processor_share": P, "wrong": ""}
///   ← leave                               it ends; the end of stdin says the same at any time
///   → {"say": "failed", "reason": …}      in place of any of these; it ends then
struct WorkerOrder {
  int worker = 0;
  std::size_t side = 0;
  bool gpu = false;
  Fault fault;
};

/// Returns the exit code: 0, 3 for a failure, `does_not_fit`.
int work(const WorkerOrder& order);

}  // namespace rv::workers
