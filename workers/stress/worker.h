#pragma once

#include <cstddef>

#include "workers/devices/fault.h"

namespace rv::workers {

/// One worker's process. It receives lines on stdin and sends lines of JSON on stdout:
///   → {"say": "ready", "model": …}       the matrices are allocated
///   ← go SECONDS                          starts the loop for this long
///   → {"say": "beat", "operations": N}    a heartbeat, up to about twenty a second
///   → {"say": "done", "operations": N, "seconds": S, "processor_share": P, "wrong": ""}
///   ← leave                               ends the worker; so does the end of stdin at any time
///   → {"say": "failed", "reason": …}      instead of any of these; then the worker ends
struct WorkerOrder {
  int worker = 0;
  std::size_t side = 0;
  bool gpu = false;
  Fault fault;
};

/// Runs the worker and returns the exit code: 0, 3 after a failure, or `does_not_fit`.
int work(const WorkerOrder& order);

}  // namespace rv::workers
