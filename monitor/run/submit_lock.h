// The lock of a run's submission: only one client at a time submits a run's jobs.
#pragma once

#include <optional>
#include <utility>

#include "base/os/file_lock.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// Held by one process, on any machine. The operating system frees it when the process ends, also after a crash. On a
/// file system without locks every process gets it; the gate still lets only one job start the command.
class SubmitLock {
 public:
  /// Returns the lock; nothing if another process has it.
  static std::optional<SubmitLock> try_take(const RunFolder& folder);

 private:
  explicit SubmitLock(os::FileLock lock) : lock_(std::move(lock)) {}
  os::FileLock lock_;
};

}  // namespace rv::monitor
