// Noticing, beside other work, that a run is over or has moved to other nodes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "monitor/run/resolve_run.h"
#include "shared/system/descriptor.h"

namespace rv::forward {

class RunEnd {
 public:
  /// Polls the run's folder every two seconds, and Slurm (one squeue) every 30 s.
  explicit RunEnd(const monitor::KnownRun& run);
  ~RunEnd();
  RunEnd(const RunEnd&) = delete;
  RunEnd& operator=(const RunEnd&) = delete;

  /// Readable once the run is over.
  int fd() const;
  /// How it ended; empty while it has not.
  std::string how() const;
  /// The last known nodes of the run, from its records or from Slurm; empty before the first poll.
  std::vector<std::string> nodes() const;
  /// Called after an event that the run's end would explain: the next poll queries Slurm.
  void look_soon();

 private:
  struct Shared;  // outlives this when the thread is waiting for Slurm's answer
  std::shared_ptr<Shared> shared_;
};

}  // namespace rv::forward
