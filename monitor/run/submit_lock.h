// One client at a time submits for a run.
#pragma once

#include <optional>
#include <utility>

#include "base/os/file_lock.h"
#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// The right to submit for one run, held by one process on any machine. Freed when the process ends, however it ends.
class SubmitLock {
 public:
  /// Nothing when another process has it.
  static std::optional<SubmitLock> try_take(const RunFolder& folder);

 private:
  explicit SubmitLock(os::FileLock lock) : lock_(std::move(lock)) {}
  os::FileLock lock_;
};

}  // namespace rv::monitor
