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
  /// Looks at the run's folder every two seconds, and asks Slurm (one squeue) every 30 s.
  explicit RunEnd(const monitor::KnownRun& run);
  ~RunEnd();
  RunEnd(const RunEnd&) = delete;
  RunEnd& operator=(const RunEnd&) = delete;

  /// Readable once the run is over.
  int fd() const;
  /// How it ended; empty while it has not.
  std::string how() const;
  /// The nodes that the run was last seen on, by its records or by Slurm; none before the first look at them.
  std::vector<std::string> nodes() const;
  /// Something happened that a run's end would explain: Slurm is asked at the next look.
  void look_soon();

 private:
  struct Shared;  // outlives this when the thread is waiting for Slurm's answer
  std::shared_ptr<Shared> shared_;
};

}  // namespace rv::forward
